// Command write writes rooms.txt, from the folder solvers/internal/rooms; with -table it prints the
// table of the rooms instead, from the folder of the project.
package main

import (
	"flag"
	"log"
	"os"

	"metalab/solvers/internal/rooms"
)

func main() {
	table := flag.Bool("table", false, "print lines, exported identifiers and imports of each room")
	flag.Parse()
	root := "../../.."
	if *table {
		root = "."
	}
	list, err := rooms.Find(root)
	if err == nil && *table {
		_, err = os.Stdout.Write(rooms.Table(list))
	} else if err == nil {
		err = os.WriteFile("rooms.txt", rooms.Arrows(list), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
