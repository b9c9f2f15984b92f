package tours

// hilbertOrder lists the points in the order of a Hilbert curve of 2^16 x 2^16 cells
// over the square that holds them; points of one cell keep their order.
func hilbertOrder(x, y []float64) []int32 {
	loX, loY, hiX, hiY := x[0], y[0], x[0], y[0]
	for i := range x {
		loX, loY = min(loX, x[i]), min(loY, y[i])
		hiX, hiY = max(hiX, x[i]), max(hiY, y[i])
	}
	side := max(hiX-loX, hiY-loY)
	if side <= 0 {
		side = 1
	}
	keys := make([]uint64, len(x))
	share(len(x), func(from, to int) {
		for i := from; i < to; i++ {
			u := uint32(min((x[i]-loX)/side*65536, 65535))
			v := uint32(min((y[i]-loY)/side*65536, 65535))
			keys[i] = uint64(hilbert(u, v))<<32 | uint64(i)
		}
	})
	radixSort(keys)
	order := make([]int32, len(x))
	share(len(x), func(from, to int) {
		for i := from; i < to; i++ {
			order[i] = int32(uint32(keys[i]))
		}
	})
	return order
}

// hilbert is the place of the cell (x, y), each in [0, 2^16), on the Hilbert curve
// (D. Hilbert, Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck, 1891,
// doi:10.1007/BF01199431): quadrant by quadrant from the largest, turning the frame.
func hilbert(x, y uint32) uint32 {
	var d uint32
	for bit := uint32(1 << 15); bit > 0; bit >>= 1 {
		var right, up uint32
		if x&bit != 0 {
			right = 1
		}
		if y&bit != 0 {
			up = 1
		}
		d = d<<2 | (3*right ^ up)
		if up == 0 {
			if right == 1 {
				x, y = 65535-x, 65535-y
			}
			x, y = y, x
		}
	}
	return d
}
