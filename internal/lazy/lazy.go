// Package lazy makes what a package needs now and then at its first use, rather than at the start of
// each program that links it.
package lazy

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// Regexp returns a function for a package variable, which compiles the pattern when it is first called,
// and returns the same regular expression each time. Any goroutine may call it. A wrong pattern makes
// the call panic; in the binary of a test Regexp itself does, so that no wrong pattern gets past the tests.
func Regexp(pattern string) func() *regexp.Regexp {
	compile := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	if inTest {
		compile()
	}
	return compile
}
