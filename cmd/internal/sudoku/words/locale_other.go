//go:build !windows

package words

// settings returns the language of a system that has it elsewhere than in the environment.
func settings() string { return "" }
