//go:build !unix

package killtest

func limitMemory() error { return nil }
