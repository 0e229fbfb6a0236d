package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// golang runs the go command for WebAssembly and returns its output. What the environment says about
// versions and flags does not count, so that all machines make the same bytes.
func (f *folder) golang(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = f.root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimSpace(string(out)), nil
}

// moduleRoot returns the directory of this module, which is that of the present one.
func moduleRoot() (string, error) {
	out, err := new(folder).golang("list", "-m", "-f", "{{.Path}} {{.Dir}}")
	path, dir, _ := strings.Cut(out, " ")
	if err == nil && path != "github.com/scxmlrun/scxmlrun" {
		err = fmt.Errorf("the present directory is in module %s: run this command in a clone of scxmlrun", path)
	}
	return dir, err
}

// copyPages copies the files of the pages, and Go's.
func (f *folder) copyPages() error {
	for _, c := range copied {
		if err := f.copyDir(filepath.Join(f.root, filepath.FromSlash(c.from)), filepath.FromSlash(c.to)); err != nil {
			return err
		}
	}
	for name, generate := range generated {
		content, err := generate()
		if err != nil {
			return err
		}
		if err := f.write(name, content); err != nil {
			return err
		}
	}
	goroot, err := f.golang("env", "GOROOT")
	if err != nil {
		return err
	}
	return f.copyFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"), "wasm_exec.js")
}

// copyDir copies the files below a directory.
func (f *folder) copyDir(from, to string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		return f.copyFile(name, filepath.Join(to, rel))
	})
}

// copyFile copies a file to a place in the folder.
func (f *folder) copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return f.write(to, content)
}

// write writes a file of the folder.
func (f *folder) write(name string, content []byte) error {
	name = filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o666)
}

// compile compiles the programs.
func (f *folder) compile() error {
	flags := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-gcflags=all=-l"}
	for _, pattern := range inlining {
		flags = append(flags, "-gcflags="+pattern+"=")
	}
	for _, p := range programs {
		to, err := filepath.Abs(filepath.Join(f.dir, filepath.FromSlash(p.to)))
		if err != nil {
			return err
		}
		if _, err := f.golang(append(flags, "-o", to, "./"+p.command)...); err != nil {
			return err
		}
		info, err := os.Stat(to)
		if err == nil {
			err = os.Chmod(to, info.Mode()&0o666) // not a program of this machine
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyLicences copies the licences of what the programs contain: Go's, and those in the directories
// of the packages and above them in their modules.
func (f *folder) copyLicences() error {
	goroot, err := f.golang("env", "GOROOT")
	if err != nil {
		return err
	}
	type place struct{ dir, to string }
	places := []place{{goroot, "go"}}
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}\t{{$.Dir}}{{end}}"}
	for _, p := range programs {
		args = append(args, "./"+p.command)
	}
	out, err := f.golang(args...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		if len(part) != 3 {
			continue // of the standard library
		}
		module, root, dir := part[0], part[1], part[2]
		for ; strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				return err
			}
			places = append(places, place{dir, filepath.Join(module, rel)})
		}
	}
	for _, p := range places {
		entries, err := os.ReadDir(p.dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !isLicence(e.Name()) {
				continue
			}
			if err := f.copyFile(filepath.Join(p.dir, e.Name()), filepath.Join("licences", p.to, e.Name())); err != nil {
				return err
			}
		}
	}
	if _, err := os.Stat(filepath.Join(f.dir, "licences", "go")); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot find the licence of Go in %s", goroot)
	}
	return nil
}

func isLicence(name string) bool {
	return filepath.Ext(name) != ".go" && slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}
