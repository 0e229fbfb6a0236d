package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

// A version is a chart as its sessions began with it: the document and every file that it has read.
// The store keeps it, so that they continue with it when the files have changed or are gone. It is
// the loader of its chart: a file is read from the folder once, and kept before it is used.
type version struct {
	Chart    string            `json:"chart"`
	Hash     string            `json:"hash"`
	Document string            `json:"document"` // name of its file, for positions
	Uploaded bool              `json:"uploaded,omitempty"`
	Source   []byte            `json:"source"`
	Files    map[string][]byte `json:"files,omitempty"`

	folder fs.FS // of the document; nil: it reads no other files
	mu     sync.Mutex
	keep   func() error // nil until the version is stored
}

// identify sets the hash of a version that is not in the store: that of the chart, which covers the
// document and its scripts, and that of the files that were read for it, among them the charts that it
// invokes. Files that sessions read later do not count.
func (v *version) identify(chart string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Hash = chart; len(v.Files) == 0 {
		return
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n", chart)
	for _, name := range slices.Sorted(maps.Keys(v.Files)) {
		fmt.Fprintf(sum, "%q %d\n%s", name, len(v.Files[name]), v.Files[name])
	}
	v.Hash = hex.EncodeToString(sum.Sum(nil))
}

const maxVersion = 32 << 20 // bytes of a version, files included

// Open implements [fs.FS].
func (v *version) Open(name string) (fs.File, error) {
	content, err := v.read(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &memory{bytes.NewReader(content), name}, nil
}

func (v *version) read(name string) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if content, ok := v.Files[name]; ok {
		return content, nil
	}
	if v.folder == nil || !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	f, err := v.folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	room := maxVersion - len(v.Source)
	for content := range maps.Values(v.Files) {
		room -= len(content)
	}
	content, err := io.ReadAll(io.LimitReader(f, int64(room)+1))
	if err == nil && len(content) > room {
		err = fmt.Errorf("the chart %q and its files have more than %d bytes", v.Chart, maxVersion)
	}
	if err != nil {
		return nil, err
	}
	if v.Files == nil {
		v.Files = map[string][]byte{}
	}
	v.Files[name] = content
	if v.keep != nil {
		if err := v.keep(); err != nil {
			delete(v.Files, name)
			return nil, err
		}
	}
	return content, nil
}

// The store has each version in a file, and for each chart the hash of the version that new sessions
// run if the command line does not name the chart.
const (
	versionFiles = "chart/"  // chart/NAME/HASH
	latestFiles  = "latest/" // latest/NAME
)

// store stores the version.
func (v *version) store(ctx context.Context, store fleet.Store) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.keepIn(ctx, store)
	return v.keep()
}

// keepIn stores, from now on, each file that the version reads.
func (v *version) keepIn(ctx context.Context, store fleet.Store) {
	v.keep = func() error {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return store.PutFile(ctx, path.Join(versionFiles, v.Chart, v.Hash), text)
	}
}

// storedVersion returns the version in a file of a store.
func storedVersion(ctx context.Context, store fleet.Store, name string) (*version, error) {
	text, err := store.File(ctx, name)
	if err != nil {
		return nil, err
	}
	v := new(version)
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("file %q of the store: %w", name, err)
	}
	v.keepIn(ctx, store)
	return v, nil
}

// latestVersions returns the hash of the latest version of each chart in a store.
func latestVersions(ctx context.Context, store fleet.Store) (map[string]string, error) {
	latest := map[string]string{}
	names, err := store.Files(ctx, latestFiles)
	for _, name := range names {
		hash, err := store.File(ctx, name)
		if err != nil {
			return nil, err
		}
		latest[path.Base(name)] = string(hash)
	}
	return latest, err
}

// A memory is a file in memory.
type memory struct {
	*bytes.Reader
	name string
}

func (m *memory) Close() error               { return nil }
func (m *memory) Stat() (fs.FileInfo, error) { return m, nil }
func (m *memory) Name() string               { return path.Base(m.name) }
func (m *memory) Mode() fs.FileMode          { return 0o444 }
func (m *memory) ModTime() time.Time         { return time.Time{} }
func (m *memory) IsDir() bool                { return false }
func (m *memory) Sys() any                   { return nil }
