//go:build unix

package clitest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

// A FileWriter is a call of a command that writes a file.
type FileWriter struct {
	Name    string            // of the file
	Args    string            // separated by spaces; FILE stands for its name
	Files   map[string]string // that the command reads
	Input   string
	Private bool // the file is for its owner alone
	NewOnly bool // the command refuses a file that exists
}

// Modes checks that a new file gets the permissions that the umask allows, or those of a private
// file, and that one that is replaced keeps its own, also behind a link.
func Modes(t *testing.T, binary string, writers []FileWriter) {
	for i, w := range writers {
		t.Run(strings.Fields(w.Args)[0]+"_"+w.Name, func(t *testing.T) {
			t.Parallel()
			for _, umask := range []fs.FileMode{0, 0o022, 0o027, 0o077}[i%2:] { // 0 with every other one
				w.check(t, binary, umask, 0)
			}
			if !w.NewOnly {
				w.check(t, binary, 0o022, 0o640)
				w.check(t, binary, 0, 0o600)
			}
		})
	}
}

// check runs the command with a file of the mode old, or without one, behind a link if old is 0640.
func (w *FileWriter) check(t *testing.T, binary string, umask, old fs.FileMode) {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range w.Files {
		must(os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	file, want := filepath.Join(dir, w.Name), 0o666&^umask
	if w.Private {
		want = 0o600 &^ umask
	}
	run := func() {
		t.Helper()
		script := fmt.Sprintf(`umask %03o && exec "$0" "$@"`, umask)
		args := strings.Fields(strings.ReplaceAll(w.Args, "FILE", w.Name))
		cmd := exec.Command("sh", append([]string{"-c", script, binary}, args...)...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(w.Input)
		cmd.Env = append(os.Environ(), shelf.Variable+"="+filepath.Join(dir, "home"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", w.Args, err, out)
		}
	}
	if old != 0 {
		run() // the file must be one that the command may replace
		must(os.Chmod(file, old))
		want = old
	}
	if old == 0o640 {
		must(os.Mkdir(filepath.Join(dir, "elsewhere"), 0o700))
		target := filepath.Join(dir, "elsewhere", w.Name)
		must(os.Rename(file, target))
		must(os.Symlink(target, file))
	}
	run()
	info, err := os.Stat(file)
	must(err)
	if info.Mode().Perm() != want {
		t.Errorf("%s, umask %03o, replacing a file of mode %03o: it has mode %03o, want %03o", w.Args, umask, old, info.Mode().Perm(), want)
	}
	if link, err := os.Lstat(file); err != nil || old == 0o640 && link.Mode().Type() != fs.ModeSymlink {
		t.Errorf("%s: the link was replaced (%v)", w.Args, err)
	}
}
