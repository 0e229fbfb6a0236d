package searchprogram

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/explore"
	"github.com/scxmlrun/scxmlrun/scxml/explore/compiled"
	"github.com/scxmlrun/scxmlrun/scxml/machine/search"
)

const (
	lastly = 3 * time.Second     // for a program that is told to end
	unused = 30 * 24 * time.Hour // after which a program is deleted
)

// silence is how long a program may say nothing before it is taken for one whose script does not end.
var silence = 30 * time.Second

// program searches by a program.
func (j job) program(ctx context.Context, opts explore.Options) outcome {
	s, err := j.compile(opts)
	if err != nil {
		return outcome{err: err}
	}
	program, err := build(ctx, s)
	if err != nil {
		return outcome{err: err}
	}
	if s.Task.Workers <= 0 {
		s.Task.Workers = runtime.GOMAXPROCS(0)
	}
	result, err := execute(ctx, program, &s.Task, opts.Progress)
	if err != nil {
		return outcome{err: err}
	}
	r, err := s.Report(context.WithoutCancel(ctx), result)
	return outcome{r, &Program{result.Bytes, result.Kept}, err}
}

// build returns the program of a search, which the cache folder may have already.
func build(ctx context.Context, s *compiled.Search) (program string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	cache = filepath.Join(cache, "scxmlrun", "search")
	module, err := compiled.Module()
	if err != nil {
		return "", err
	}
	files := s.Files()
	from := digest(module, nil)
	program = filepath.Join(cache, digest(files, []byte(from))+".exe") // as Windows wants it
	if now := time.Now(); os.Chtimes(program, now, now) == nil {
		return program, nil
	}
	compiler, err := exec.LookPath("go")
	if err != nil {
		return "", errors.New("the go command is not installed")
	}
	clean(cache)
	// The module stays, so that the go command compiles its packages once.
	root := filepath.Join(cache, "module-"+from)
	if err := writeModule(root, module); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(root, "chart-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := write(dir, files); err != nil {
		return "", err
	}
	made := filepath.Join(dir, "program.exe")
	cmd := exec.CommandContext(ctx, compiler, "build", "-ldflags=-s -w", "-o", made, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GO111MODULE=on", "GOPROXY=off", "GOTOOLCHAIN=local", "GOOS=", "GOARCH=")
	if n := s.Task.Workers; n > 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMAXPROCS=%d", n))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%.2000s", err, bytes.TrimSpace(out))
	}
	return program, os.Rename(made, program)
}

// digest returns a name for files.
func digest(files map[string][]byte, more []byte) string {
	hash := sha256.New()
	hash.Write(more)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(hash, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:16])
}

// writeModule writes a folder whole, unless it is there.
func writeModule(root string, files map[string][]byte) error {
	if now := time.Now(); os.Chtimes(root, now, now) == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(root), 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(root), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := write(dir, files); err != nil {
		return err
	}
	if os.Rename(dir, root) == nil {
		return nil
	}
	_, err = os.Stat(root) // another process may have been first
	return err
}

func write(dir string, files map[string][]byte) error {
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// clean deletes what was not used for a long time.
func clean(cache string) {
	old, _ := os.ReadDir(cache) // what cannot be read or deleted stays
	for _, entry := range old {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(cache, entry.Name()))
		}
	}
}

// execute runs a program. When ctx is done, its result is what it has found until then.
func execute(ctx context.Context, program string, task *search.Task, progress func(explore.Progress)) (*search.Result, error) {
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	kill := func() { cmd.Process.Kill() }
	defer cmd.Wait()
	defer kill()
	silent := time.AfterFunc(silence, kill)
	defer silent.Stop()
	defer context.AfterFunc(ctx, func() {
		in.Close()
		silent.Reset(lastly)
	})()
	if _, err := in.Write(append(text, '\n')); err != nil {
		return nil, err
	}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		var m search.Message
		switch {
		case err != nil:
			cmd.Wait()
			if err == io.EOF && stderr.Len() == 0 {
				return nil, errors.New("it was ended: what follows from an input takes too long")
			}
			return nil, fmt.Errorf("it has failed: %.2000s", stderr.String())
		case json.Unmarshal(line, &m) != nil:
			return nil, fmt.Errorf("it says %q", line)
		case m.Result != nil:
			return m.Result, nil
		case m.Progress != nil && progress != nil:
			progress(explore.Progress{States: m.Progress.States, Transitions: m.Progress.Transitions, Depth: m.Progress.Depth, Frontier: m.Progress.Frontier})
		}
		if ctx.Err() == nil {
			silent.Reset(silence)
		}
	}
}
