//go:build race

package proof

func init() { racing = true }
