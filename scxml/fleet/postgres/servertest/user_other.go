//go:build !unix

package servertest

import "os/exec"

func give(string) error { return nil }

func detach(*exec.Cmd) {}
