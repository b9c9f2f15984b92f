package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"iter"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// The kinds of solutions, as in the schema.
const (
	kindPerm = "perm"
	kindBits = "bits"
	kindReal = "real"
)

// packed is a solution as it is stored; its kind is empty where there is none.
func packed(s *record.Solution) (kind string, data []byte) {
	var of any
	switch {
	case len(s.Perm) > 0:
		kind, of = kindPerm, s.Perm
	case len(s.Bits) > 0:
		kind, of = kindBits, s.Bits
	case len(s.Real) > 0:
		kind, of = kindReal, s.Real
	default:
		return "", nil
	}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, of); err != nil {
		return "", nil // cannot fail: slices of numbers into memory
	}
	return kind, b.Bytes()
}

// unpacked reads what packed made.
func unpacked(kind string, data []byte) (s record.Solution, err error) {
	var to any
	size := map[string]int{kindPerm: 4, kindBits: 1, kindReal: 8}[kind]
	if size == 0 || len(data)%size != 0 {
		return s, fmt.Errorf("a solution is of kind %q with %d bytes, want perm with a multiple of 4, "+
			"bits, or real with a multiple of 8", kind, len(data))
	}
	switch n := len(data) / size; kind {
	case kindPerm:
		s.Perm = make([]int32, n)
		to = s.Perm
	case kindBits:
		s.Bits = make([]int8, n)
		to = s.Bits
	default:
		s.Real = make([]float64, n)
		to = s.Real
	}
	_, err = binary.Decode(data, binary.LittleEndian, to)
	return s, err
}

// Solutions implements experiment.Store.
func (s *Store) Solutions(ctx context.Context, name string) iter.Seq2[experiment.Solved, error] {
	return told(s, func(yield func(experiment.Solved, error) bool) {
		tx, err := s.snapshot(ctx)
		if err != nil {
			yield(experiment.Solved{}, err)
			return
		}
		defer tx.Rollback()
		exp, err := id(ctx, tx, name)
		if err != nil {
			yield(experiment.Solved{}, err)
			return
		}
		rows, err := tx.QueryContext(ctx, `SELECT u.number, s.kind, s.data FROM units u
			JOIN solutions s ON s.unit = u.id WHERE u.experiment = ? ORDER BY u.number`, exp)
		if err != nil {
			yield(experiment.Solved{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var x experiment.Solved
			var kind string
			var data sql.RawBytes
			err := rows.Scan(&x.Number, &kind, &data)
			if err == nil {
				if x.Solution, err = unpacked(kind, data); err != nil {
					err = content("unit %d: %w", x.Number, err)
				}
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(experiment.Solved{}, err)
		}
	})
}
