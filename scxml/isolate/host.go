package isolate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// A host answers the calls of a child: for functions, files, and where to save.
type host struct {
	time   time.Duration // that one call may take
	funcs  map[string]scxml.HostFunc
	loader fs.FS
	most   int64 // bytes of a file
	save   func([]byte) error

	outbox scxml.Outbox
	look   func() // lets a front end look at the session
}

// What a child asks its host for.
var (
	hostCall = method[*host, calling, eventjson.Value]{"func", func(ctx context.Context, h *host, c calling) (out eventjson.Value, err error) {
		f, ok := h.funcs[c.Name]
		if !ok {
			return out, errNothing
		}
		args := make([]datamodel.Value, len(c.Args))
		for i, text := range c.Args {
			if args[i], err = datamodel.ParseJSON(text); err != nil {
				return out, err
			}
		}
		out.V, err = f.Call(ctx, args)
		return out, err
	}}
	hostLoad = method[*host, string, []byte]{"load", func(_ context.Context, h *host, name string) ([]byte, error) {
		return h.load(name)
	}}
	hostSave = method[*host, []byte, none]{"save", func(_ context.Context, h *host, snapshot []byte) (none, error) {
		if h.save == nil {
			return none{}, errNothing
		}
		return none{}, h.save(snapshot)
	}}
	hostAddress = method[*host, addressing, string]{"address", func(_ context.Context, h *host, in addressing) (string, error) {
		if h.outbox.Location == nil {
			return "", errNothing
		}
		return h.outbox.Location(in.Session, in.Type), nil
	}}
	hostCheck = method[*host, scxml.Task, none]{"check", func(_ context.Context, h *host, t scxml.Task) (none, error) {
		if h.outbox.Check == nil {
			return none{}, errNothing
		}
		return none{}, h.outbox.Check(t.Session, t.Message)
	}}

	calls = tableOf[*host](hostCall, hostLoad, hostSave, hostAddress, hostCheck, hostLook)

	// A front end may look at the session, with requests inside the one in progress. The host calls it
	// in its own goroutine.
	hostLook = method[*host, none, none]{op: "look"}
)

var errNothing = errors.New("the host has nothing of this name")

// A calling is a call of a function.
type calling struct {
	Name string
	Args []json.RawMessage
}

// An addressing is a call of Outbox.Location.
type addressing struct{ Session, Type string }

// answer answers a call. It does not wait longer than it may, whatever the host does.
func (h *host) answer(ctx context.Context, m handler[*host], in any) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, h.time)
	defer cancel()
	type result struct {
		out any
		err error
	}
	done := make(chan result, 1)
	go func() {
		r := result{nil, errors.New("the host has ended its goroutine with runtime.Goexit")}
		defer func() { // a panic must not end the host of other tenants
			if x := recover(); x != nil {
				r.err = &scxml.PanicError{Value: x, Stack: debug.Stack(), What: "host"}
			}
			done <- r
		}()
		r.out, r.err = m.serve(ctx, h, in)
	}()
	select {
	case r := <-done:
		return r.out, r.err
	case <-ctx.Done():
		if ctx.Err() == context.DeadlineExceeded {
			return nil, fmt.Errorf("the host did not answer within %v", h.time)
		}
		return nil, context.Cause(ctx)
	}
}

// load reads a file for the child, in the way of [scxml.WithLoader].
func (h *host) load(name string) ([]byte, error) {
	if h.loader == nil {
		return nil, errNothing
	}
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	info, err := fs.Stat(h.loader, name)
	switch {
	case err != nil:
		return nil, plain(err)
	case info.IsDir():
		return nil, errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	f, err := h.loader.Open(name)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, h.most+1)) // one more, which the parser refuses
}

// plain returns the cause of a path error.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
