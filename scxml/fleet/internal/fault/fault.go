// Package fault tells who is to blame for a panic: what is recovered is what others throw, and our own
// faults go up.
package fault

import (
	"runtime"
	"strings"
)

// Thrower returns the path of the package whose code has panicked: the innermost that is not of the
// standard library. Its caller is a deferred function that has called recover.
func Thrower() string {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for panicked, more := false, true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		panicked = panicked || frame.Function == "runtime.gopanic"
		if path := packageOf(frame.Function); panicked && !isStandard(path) {
			return path
		}
	}
	return ""
}

func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + name
}

// isStandard reports whether a package is one of the standard library. Paths of other modules begin with a
// domain.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return path != "main" && !strings.Contains(first, ".")
}

// IsMemory reports whether a panic is that of memory that could not be read or written, such as a page of a
// file that has failed or is not there, see [debug.SetPanicOnFault].
func IsMemory(p any) bool {
	_, ok := p.(interface{ Addr() uintptr })
	return ok
}
