//go:build !unix

package bench

import "time"

var begin = time.Now()

// spent returns the time since the process began: what the processors have
// spent on it is not known.
func spent() time.Duration { return time.Since(begin) }
