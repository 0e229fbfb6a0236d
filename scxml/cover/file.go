package cover

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// version is that of the file's format.
const version = 1

// saved is what a file has. In a page it is in an element <script>.
type saved struct {
	Version   int        `json:"scxmlcover"`
	Runs      int        `json:"runs"`
	Documents []Document `json:"documents"`
}

const (
	dataBegin = `<script type="application/json" id="profile">`
	dataEnd   = `</script>`
)

// maxFile is how many bytes a coverage file may have.
const maxFile = 256 << 20

// Open reads a profile that [Profile.AddTo] has written.
func Open(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read coverage: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read coverage: %w", err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("cannot read coverage: %q has more than %d bytes", name, maxFile)
	}
	if _, page, ok := bytes.Cut(data, []byte(dataBegin)); ok {
		data, _, _ = bytes.Cut(page, []byte(dataEnd))
	}
	var file saved
	if err := json.Unmarshal(data, &file); err != nil || file.Version == 0 {
		return nil, fmt.Errorf("cannot read coverage: %q is not a coverage file: want one that scxmlrun test --cover has written", name)
	}
	if file.Version > version {
		return nil, fmt.Errorf("cannot read coverage: version %d of %q is newer than %d", file.Version, name, version)
	}
	p := &Profile{runs: file.Runs}
	p.add(file.Documents)
	return p, nil
}

// AddTo adds the profile to a file, which it creates if need be. If the name ends in .html, the file
// is also a page to look at. A link to a file, and the permissions of the file, remain. p itself does not change.
// While AddTo works there is a file NAME.lock; after ten seconds AddTo fails because of one.
func (p *Profile) AddTo(name string) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	unlock, err := lock(name + ".lock")
	if err != nil {
		return fmt.Errorf("cannot write coverage: %w", err)
	}
	defer unlock()
	sum, err := Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		sum, err = new(Profile), nil
	}
	if err != nil {
		return err
	}
	sum.add(p.Documents())
	sum.runs++
	data, err := json.Marshal(saved{version, sum.runs, sum.Documents()})
	if err != nil {
		return fmt.Errorf("cannot write coverage: %w", err)
	}
	if strings.EqualFold(filepath.Ext(name), ".html") {
		data = sum.page(data)
	}
	temp := name + ".tmp"
	os.Remove(temp) // of a process that was killed
	err = writeSynced(temp, data)
	if info, missing := os.Stat(name); err == nil && missing == nil {
		err = os.Chmod(temp, info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp) // if it can be removed
		return fmt.Errorf("cannot write coverage: %w", err)
	}
	return nil
}

// writeSynced writes a file whose content survives a loss of power after it was renamed.
func writeSynced(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return cmp.Or(err, f.Sync(), f.Close())
}

// patience is how long lock waits for another process.
var patience = 10 * time.Second

// lock creates a file that no other process has, and returns what removes it.
func lock(name string) (unlock func(), err error) {
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		switch {
		case err == nil:
			return func() { os.Remove(name) }, f.Close()
		case !errors.Is(err, fs.ErrExist):
			return nil, err
		case time.Since(began) > patience:
			return nil, fmt.Errorf("another process has had %q for %v: remove it if there is none", name, patience)
		}
	}
}
