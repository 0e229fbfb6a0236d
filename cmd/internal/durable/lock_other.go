//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package durable

import "os"

// lock does nothing: there is one process, or its system has no such call.
func lock(*os.File) error { return nil }

// inUse reports whether an error may mean that another process has a file open.
func inUse(error) bool { return false }
