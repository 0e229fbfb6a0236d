//go:build !unix

package watermark

import "os"

// mapFile returns nil: the file is written by WriteAt.
func mapFile(*os.File, int) ([]byte, error) { return nil, nil }

func unmap([]byte) error { return nil }
