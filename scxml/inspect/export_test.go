package inspect

// MaxBranches is the limit for branches.
const MaxBranches = maxBranches

// Patterns returns the patterns of all requests of the page's scripts.
func Patterns() []string {
	all := []string{streamPattern}
	for _, r := range routes {
		all = append(all, r.pattern)
	}
	return all
}
