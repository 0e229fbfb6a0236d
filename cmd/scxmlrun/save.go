package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// timerChoices are the values of --timers.
var timerChoices = []string{"due", "remaining", "anew"}

// timerPolicy returns what --timers says.
func (o *runOptions) timerPolicy() scxml.TimerPolicy {
	switch o.timers.Value {
	case "remaining":
		return scxml.KeepRemaining
	case "anew":
		return scxml.StartAnew
	}
	return scxml.KeepDue
}

// maxSnapshot is how large a file --load reads.
const maxSnapshot = 1 << 30

// loadSnapshot reads the file of --load; nil without one.
func (o *runOptions) loadSnapshot() ([]byte, error) {
	if o.load == "" {
		if o.timers.Value != timerChoices[0] {
			return nil, cli.Usagef("--timers is for a session that goes on: add --load FILE")
		}
		return nil, nil
	}
	if len(o.data) > 0 || o.seedGiven {
		return nil, cli.Usagef("--load: data and seed come from the saved session; leave out --data and --seed")
	}
	info, err := os.Stat(o.load)
	if err == nil && info.Size() > maxSnapshot {
		err = fmt.Errorf("it is larger than %d bytes", maxSnapshot)
	}
	var snapshot []byte
	if err == nil {
		snapshot, err = os.ReadFile(o.load)
	}
	if err != nil {
		return nil, cli.Usagef("--load: cannot read %q: %v", o.load, cli.Plain(err))
	}
	return snapshot, nil
}

// sessionError says why there can be no session: what is wrong with the flags,
// or with the file of --load.
func (o *runOptions) sessionError(err error) error {
	if o.load == "" {
		return &cli.Error{Status: cli.Usage, Err: err}
	}
	if why := errors.Unwrap(err); why != nil { // without the name of the function
		err = why
	}
	return &cli.Error{Status: cli.Usage, Err: fmt.Errorf("--load %s: %w", o.load, err)}
}

// saveSession writes a snapshot to the file of --save, if there is one. The
// file is the old one or the new one, whatever happens meanwhile.
func (o *runOptions) saveSession(s *scxml.Session) error {
	if o.save == "" || s.Status() == scxml.Unstarted {
		return nil
	}
	snapshot, err := s.Snapshot()
	if err == nil {
		err = writeAtomically(o.save, append(snapshot, '\n'))
	}
	if err != nil {
		return fmt.Errorf("--save: cannot write %q: %w", o.save, cli.Plain(err))
	}
	return nil
}

// checkSave says before the run, and not after an hour of play, that the file
// of --save cannot be written.
func (o *runOptions) checkSave() error {
	if o.save == "" {
		return nil
	}
	f, _, err := besides(o.save)
	if err != nil {
		return cli.Usagef("--save: cannot write %q: %v", o.save, cli.Plain(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// besides makes a file in the folder of the one called name, which it is to
// replace, and returns that one's mode. A symbolic link stays, and what it
// points to is replaced.
func besides(name string) (f *os.File, mode fs.FileMode, err error) {
	mode = 0o600 // data of a session is its user's business
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return nil, 0, errors.New("it is not a regular file")
		}
		mode = info.Mode().Perm()
	}
	name = target(name)
	f, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	return f, mode, err
}

// target returns what a symbolic link points to.
func target(name string) string {
	if file, err := filepath.EvalSymlinks(name); err == nil {
		return file
	}
	return name
}

// writeAtomically replaces a file by one with the given content.
func writeAtomically(name string, content []byte) (err error) {
	f, mode, err := besides(name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), target(name))
}
