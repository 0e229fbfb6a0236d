package clitest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// OwnCache runs tests with a cache folder of their own, and returns the exit status. That of the go command stays.
func OwnCache(m *testing.M) int {
	dir, err := os.MkdirTemp("", "cache")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, setting := range CacheIn(dir) {
		name, value, _ := strings.Cut(setting, "=")
		os.Setenv(name, value)
	}
	return m.Run()
}

// CacheIn returns the settings by which a command has its cache in a folder, and the go command has it where it was.
func CacheIn(dir string) (env []string) {
	names := []string{"GOCACHE", "GOPATH", "GOMODCACHE"} // which follow HOME
	out, _ := exec.Command("go", append([]string{"env"}, names...)...).Output()
	for i, value := range strings.Fields(string(out)) {
		env = append(env, names[i]+"="+value)
	}
	return append(env, "XDG_CACHE_HOME="+dir, "HOME="+dir, "LocalAppData="+dir)
}
