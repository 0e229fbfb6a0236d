package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// Options say how to serve.
type Options struct {
	Dir     string // the folder whose files the tools read
	Version string // of the command
	Pool    *isolate.Pool
}

const (
	maxLine = 16 << 20 // bytes of a message of the client
	maxWait = 32       // calls in progress, of which a few run and the others wait
)

const instructions = `Statecharts in SCXML (W3C): write one, and let these tools check, draw, try, explore and test it.
A chart is given as its text in "source", or as a "file" below the folder of the server. No tool writes
files: save what you get. A good order: check; explore, which finds deadlocks and proves properties; edit;
generate_tests. The resources are guides, and the list of what check says.`

// A server answers one client.
type server struct {
	files fs.FS
	pool  *isolate.Pool
	calls chan struct{} // in progress
	turns chan struct{} // that run
}

// Serve answers a client until it leaves, and then what it has asked for. The error is the cause of ctx, or
// that of the connection.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) error {
	folder, err := file.OpenFolder(o.Dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	s := &server{
		files: served{folder}, pool: o.Pool,
		calls: make(chan struct{}, maxWait), turns: make(chan struct{}, max(1, min(4, runtime.GOMAXPROCS(0)))),
	}
	m := mcp.NewServer(&mcp.Implementation{Name: "scxmlrun", Title: "scxmlrun: statecharts in SCXML", Version: o.Version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}}, // which do not change
	})
	for _, t := range tools() {
		m.AddTool(t.Tool, s.handler(t))
	}
	addResources(m)
	err = m.Run(ctx, patient{&mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: maxLine}})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("the connection with the assistant has failed: %w", err)
	}
	return nil
}

// served is the folder of the server. An error says which file is meant instead.
type served struct{ *file.Folder }

func (s served) Open(name string) (fs.File, error) {
	f, err := s.Folder.Open(name)
	return f, s.explain(name, err)
}

func (s served) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(s.Folder, name)
	return info, s.explain(name, err)
}

func (s served) explain(name string, err error) error {
	var at *fs.PathError
	switch {
	case errors.As(err, &at) && at.Err.Error() == "path escapes from parent": // package os has no variable for it
		return &fs.PathError{Op: "open", Path: name, Err: errors.New("it leads out of the folder of the server")}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	dir := path.Dir(name)
	all, unreadable := fs.ReadDir(s.Folder, dir)
	var names []string
	for _, f := range all {
		names = append(names, path.Join(dir, f.Name()))
	}
	err = fs.ErrNotExist
	if near := cli.Nearest(name, names); near != "" {
		err = fmt.Errorf("%w (did you mean %q?)", err, near)
	} else if unreadable != nil {
		err = fmt.Errorf("%w, and neither does its folder %q", err, dir)
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}
