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
)

// A host answers the calls of a child: for functions, files, and where to save.
type host struct {
	time   time.Duration // that one call may take
	funcs  map[string]scxml.HostFunc
	loader fs.FS
	most   int64 // bytes of a file
	save   func([]byte) error

	address func(session, typ string) string
	check   func(session string, m scxml.Message) error
	look    func() // lets a front end look at the session
}

// answer answers a call. It does not wait longer than it may, whatever the host does.
func (h *host) answer(ctx context.Context, c *call) reply {
	if c.Op == callLook {
		if h.look != nil {
			h.look()
		}
		return reply{}
	}
	ctx, cancel := context.WithTimeout(ctx, h.time)
	defer cancel()
	done := make(chan reply, 1)
	go func() {
		r, err := reply{}, errors.New("the host has ended its goroutine with runtime.Goexit")
		defer func() { // a panic must not end the host of other tenants
			if x := recover(); x != nil {
				err = &scxml.PanicError{Value: x, Stack: debug.Stack(), What: "host"}
			}
			if err != nil {
				r = reply{Err: err.Error(), Missing: errors.Is(err, fs.ErrNotExist), cause: err}
			}
			done <- r
		}()
		err = h.carryOut(ctx, c, &r)
	}()
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
		if ctx.Err() == context.DeadlineExceeded {
			return reply{Err: fmt.Sprintf("the host did not answer within %v", h.time)}
		}
		return reply{Err: context.Cause(ctx).Error()}
	}
}

func (h *host) carryOut(ctx context.Context, c *call, r *reply) (err error) {
	switch {
	case c.Op == callLoad && h.loader != nil:
		r.Data, err = h.load(c.Name)
		return err
	case c.Op == callSave && h.save != nil:
		return h.save(c.Data)
	case c.Op == callAddr && h.address != nil && len(c.Args) == 1:
		var session string
		if err := json.Unmarshal(c.Args[0], &session); err != nil {
			return err
		}
		r.Value = packValue(h.address(session, c.Name))
		return nil
	case c.Op == callTask && h.check != nil && len(c.Args) == 1:
		return h.checks(c.Args[0])
	}
	f, ok := h.funcs[c.Name]
	if c.Op != callFunc || !ok {
		return errors.New("the host has nothing of this name")
	}
	args := make([]datamodel.Value, len(c.Args))
	for i, text := range c.Args {
		if args[i], err = unpack(text); err != nil {
			return err
		}
	}
	v, err := f.Call(ctx, args)
	r.Value = packValue(v)
	return err
}

// load reads a file for the child, in the way of [scxml.WithLoader].
func (h *host) load(name string) ([]byte, error) {
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
