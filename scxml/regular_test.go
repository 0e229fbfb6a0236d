package scxml_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// fifos is a file system in which opening anything but a regular file hangs.
type fifos struct {
	fstest.MapFS
	t *testing.T
}

func (f fifos) Open(name string) (fs.File, error) {
	if info, err := f.Stat(name); err == nil && !info.Mode().IsRegular() {
		f.t.Errorf("%s was opened", name)
		return nil, fs.ErrInvalid
	}
	return f.MapFS.Open(name)
}

// Stat follows symbolic links; MapFS would have to open their targets.
func (f fifos) Stat(name string) (fs.FileInfo, error) {
	if file := f.MapFS[name]; file != nil && file.Mode.Type() == fs.ModeSymlink {
		name = path.Join(path.Dir(name), string(file.Data))
	}
	return f.MapFS.Lstat(name)
}

// TestRegularFilesOnly: Load and the src of <script>, <data> and <invoke> do not open a FIFO, which
// would hang.
func TestRegularFilesOnly(t *testing.T) {
	files := fifos{fstest.MapFS{
		"pipe": {Mode: fs.ModeNamedPipe | 0o644}, "dev": {Mode: fs.ModeDevice | 0o644}, "link": {Mode: fs.ModeSymlink, Data: []byte("pipe")},
	}, t}
	for name, file := range files.MapFS {
		files.MapFS["folder/"+name] = file
	}
	for name, inside := range map[string]string{
		"script":        `<script src="pipe"/><state/>`,
		"link":          `<script src="link"/><state/>`,
		"data":          `<datamodel><data id="d" src="dev"/></datamodel><state/>`,
		"invoke":        `<state><invoke src="pipe"/></state>`,
		"folder/script": `<script src="pipe"/><state/>`,
		"folder/link":   `<script src="link"/><state/>`,
		"folder/invoke": `<state><invoke src="link"/></state>`,
	} {
		files.MapFS[name+".scxml"] = &fstest.MapFile{Data: []byte(document(inside))}
		if said := loadingSays(t, files, name+".scxml"); !strings.Contains(said, "it is not a regular file") {
			t.Errorf("%s: %q", name, said)
		}
	}
	if said := loadingSays(t, files, "pipe"); said != "scxml: cannot read the document pipe: it is not a regular file" {
		t.Errorf("Load says %q", said)
	}
	// The result of fs.Sub has no Stat.
	sub, err := fs.Sub(files, "folder")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"script.scxml", "link.scxml"} {
		if said := loadingSays(t, sub, name); !strings.Contains(said, "it is not a regular file") {
			t.Errorf("%s in a part of a file system: %q", name, said)
		}
	}
}

// A symbolic link to a regular file works like the file.
func TestLinkIsRead(t *testing.T) {
	files := fifos{fstest.MapFS{
		"f/a.scxml": {Data: []byte(document(`<script src="link"/><state/>`))},
		"f/link":    {Mode: fs.ModeSymlink, Data: []byte("x.js")}, "f/x.js": {Data: []byte("var x")},
	}, t}
	if said := loadingSays(t, files, "f/a.scxml"); said != "" {
		t.Error(said)
	}
	sub, err := fs.Sub(files, "f")
	if err != nil {
		t.Fatal(err)
	}
	if said := loadingSays(t, sub, "a.scxml"); said != "" {
		t.Errorf("in a part of a file system: %s", said)
	}
	for _, target := range []string{"../x.js", "/x.js", "link"} { // out of the part, or to itself
		files.MapFS["f/link"].Data = []byte(target)
		if said := loadingSays(t, sub, "a.scxml"); !strings.Contains(said, "it is a link out of the loader's folder, or to nothing") {
			t.Errorf("link to %s: %q", target, said)
		}
	}
}

// loadingSays returns the error of loading and starting a chart.
func loadingSays(t *testing.T, files fs.FS, name string) (said string) {
	t.Helper()
	chart, err := scxml.Load(files, name)
	if err != nil {
		return err.Error()
	}
	if err := newSession(t, chart, scxml.WithTrace(&scxml.Trace{
		Error: func(_ *scxml.Session, e *scxml.ExecutionError) { said += e.Msg },
	})).Start(t.Context()); err != nil {
		t.Error(err)
	}
	return said
}
