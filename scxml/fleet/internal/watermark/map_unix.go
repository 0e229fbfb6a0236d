//go:build unix

package watermark

import (
	"os"
	"syscall"
)

// mapFile maps a file into memory, to be written there.
func mapFile(file *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

func unmap(b []byte) error { return syscall.Munmap(b) }
