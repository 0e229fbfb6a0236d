//go:build !unix

package bench

import "time"

var begin = time.Now()

// spent returns the wall-clock time since the process began, because its processor
// time is not known.
func spent() time.Duration { return time.Since(begin) }
