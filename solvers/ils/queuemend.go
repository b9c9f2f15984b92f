package ils

import "context"

// mendMean is the length, in mean edges of the tour, above which mend takes an edge for long.
const mendMean = 8

// mend makes kicks at the long edges of the tour next[a], which a search from all cities ended
// with. All chains draw the same, so those that begin with one tour stay alike.
func (s *queue) mend(ctx context.Context, out *result, a int) error {
	kicks := s.param.kick.mend
	if kicks == 0 {
		return nil
	}
	m := mender{kicks: kicks, seed: s.env.Seed, width: make([]float64, s.space.N)}
	for c := range m.width {
		m.width[c] = mendMean / mendTile * float64(out.length) / float64(s.space.N)
	}
	if err := m.mend(ctx, s.space, s.local.near, s.next[a], 0); err != nil {
		return err
	}
	out.length = s.space.Length(s.next[a])
	return nil
}
