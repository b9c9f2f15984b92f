package genetic

// fan is how many cities a leaf of the tree of cities has, and how many leaves or nodes a node has.
const fan = 32

// A box is what lies round the cities of a leaf or node of the tree.
type box struct{ Left, Low, Right, High float64 }

// boxes are those of all leaves, then of all nodes of leaves, and so on up to the root.
func boxes(x, y []float64) []box {
	level := make([]box, 0, len(x))
	for c := range x {
		level = append(level, box{x[c], y[c], x[c], y[c]})
	}
	var list []box
	for first := true; first || len(level) > 1; first = false {
		next := make([]box, 0, (len(level)+fan-1)/fan)
		for lo := 0; lo < len(level); lo += fan {
			b := level[lo]
			for _, d := range level[lo:min(lo+fan, len(level))] {
				b = box{
					min(b.Left, d.Left), min(b.Low, d.Low), max(b.Right, d.Right), max(b.High, d.High),
				}
			}
			next = append(next, b)
		}
		list, level = append(list, next...), next
	}
	return list
}

// treeBytes is what the bits of a tree of n cities take, a multiple of 16 bytes.
func treeBytes(n int) int64 {
	sum := 0
	for first := true; first || n > 1; first = false {
		n = (n + fan - 1) / fan
		sum += n
	}
	return (4*int64(sum) + 15) &^ 15
}
