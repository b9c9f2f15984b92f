package words

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks lines longer than cols at blanks. The continuation starts below the last column of a
// table's row, or is indented by two.
func Wrap(text string, cols int) string {
	if cols < 20 {
		return text // nothing would be gained
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, ending := strings.CutSuffix(line, "\n")
		wrapLine(&b, line, cols)
		if ending {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func wrapLine(b *strings.Builder, line string, cols int) {
	if utf8.RuneCountInString(line) <= cols {
		b.WriteString(line)
		return
	}
	r := []rune(line)
	hang := hangOf(r, cols)
	for first := true; len(r) > cols; first = false {
		at := cols // a word that fills the row is cut
		for i := cols; i > hang; i-- {
			if r[i] == ' ' {
				at = i
				break
			}
		}
		if i := lateColumn(r, cols); first && i > hang {
			at = i
		}
		b.WriteString(strings.TrimRight(string(r[:at]), " "))
		b.WriteByte('\n')
		rest := strings.TrimLeft(string(r[at:]), " ")
		r = []rune(strings.Repeat(" ", hang) + rest)
	}
	b.WriteString(string(r))
}

// hangOf is the column at which a line goes on: that of its last table column where this
// begins early enough to leave room for words.
func hangOf(r []rune, cols int) int {
	lead := 0
	for lead < len(r) && r[lead] == ' ' {
		lead++
	}
	hang := lead + 2
	for i := lead; i+2 < len(r) && i < cols*4/5; i++ {
		if r[i] == ' ' && r[i+1] == ' ' && r[i+2] != ' ' {
			hang = i + 2
		}
	}
	return min(hang, cols*3/4)
}

// lateColumn is where the blanks begin before a table's column that has hardly any room left
// in the row, so that all of it had better go on below; 0 where there is none.
func lateColumn(r []rune, cols int) int {
	for i := cols * 4 / 5; i+2 < len(r) && i < cols; i++ {
		if r[i] == ' ' && r[i+1] == ' ' && r[i+2] != ' ' {
			for r[i-1] == ' ' {
				i--
			}
			return i
		}
	}
	return 0
}
