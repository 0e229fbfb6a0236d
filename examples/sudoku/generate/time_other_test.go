//go:build !unix

package generate_test

import "time"

var start = time.Now()

// processorTime returns the time that has passed.
func processorTime() time.Duration { return time.Since(start) }
