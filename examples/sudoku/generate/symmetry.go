package generate

// Symmetries returns the symmetries that the givens of a puzzle can have.
func Symmetries() []Choice {
	all := make([]Choice, len(symmetries))
	for i, s := range symmetries {
		all[i] = s.Choice
	}
	return all
}

// A symmetry is given by a movement that leaves the pattern of givens unchanged.
// The last one, random, does not have a movement.
type symmetry struct {
	Choice
	move func(row, col int) (int, int)
}

// symmetries has none first and random last.
var symmetries = []symmetry{
	{Choice{"none", "No symmetry."}, func(row, col int) (int, int) { return row, col }},
	{Choice{"rotate180", "The pattern of givens is the same after half a turn."}, func(row, col int) (int, int) { return 8 - row, 8 - col }},
	{Choice{"rotate90", "The pattern of givens is the same after a quarter turn."}, func(row, col int) (int, int) { return col, 8 - row }},
	{Choice{"mirror", "Left and right are mirror images."}, func(row, col int) (int, int) { return row, 8 - col }},
	{Choice{"flip", "Top and bottom are mirror images."}, func(row, col int) (int, int) { return 8 - row, col }},
	{Choice{"diagonal", "The two sides of the diagonal that falls to the right are mirror images."}, func(row, col int) (int, int) { return col, row }},
	{Choice{"antidiagonal", "The two sides of the diagonal that rises to the right are mirror images."}, func(row, col int) (int, int) { return 8 - col, 8 - row }},
	{Choice{"random", "A random one of these symmetries for each puzzle."}, nil},
}

// groups returns the groups of cells that the symmetry keeps together; for random,
// those of each symmetry except none.
func (s symmetry) groups() [][][]int {
	if s.move == nil {
		var all [][][]int
		for _, other := range symmetries[1 : len(symmetries)-1] {
			all = append(all, other.groups()...)
		}
		return all
	}
	var groups [][]int
	var seen [81]bool
	for cell := range 81 {
		var group []int
		for at := cell; !seen[at]; {
			seen[at] = true
			group = append(group, at)
			row, col := s.move(at/9, at%9)
			at = row*9 + col
		}
		if group != nil {
			groups = append(groups, group)
		}
	}
	return [][][]int{groups}
}
