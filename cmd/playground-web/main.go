//go:build js && wasm

// Command playground-web is the playground for charts in a worker of the browser. Requests of
// package playground are messages, with these functions of the worker's global object:
//
//	serve(id, method, path, body)   of the program: a request; id is a number
//	leave(id)                       of the program: nobody waits for the answer any more
//	ready()                         of the worker: there are serve and leave
//	answer(id, status, text, end)   of the worker: a piece of an answer; a stream has many
//	failed(text)                    of the worker: the session has failed
package main

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"syscall/js"

	"github.com/scxmlrun/scxmlrun/cmd/internal/playground"
)

func main() {
	worker := js.Global()
	p := playground.New(func(err error) { worker.Call("failed", err.Error()) })
	b := bridge{answer: p.ServeHTTP, worker: worker, open: map[int]context.CancelFunc{}}
	worker.Set("serve", js.FuncOf(func(_ js.Value, args []js.Value) any {
		b.serve(args[0].Int(), args[1].String(), args[2].String(), args[3].String())
		return nil
	}))
	worker.Set("leave", js.FuncOf(func(_ js.Value, args []js.Value) any {
		b.leave(args[0].Int())
		return nil
	}))
	worker.Call("ready")
	select {}
}

// A bridge answers the requests of a page.
type bridge struct {
	// answer is not an http.Handler: the linker keeps all methods of a value in an interface, since goja
	// looks up methods by their names, and one of the inspector's is a server with TLS: 1 MB by brotli.
	answer http.HandlerFunc
	worker js.Value

	mu   sync.Mutex
	open map[int]context.CancelFunc // by the id of the request
}

// serve answers a request later: a function that the worker calls must not block.
func (b *bridge) serve(id int, method, path, body string) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &writer{id: id, worker: b.worker, header: http.Header{}, status: http.StatusOK}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+playground.Host+path, strings.NewReader(body))
	if err != nil {
		cancel()
		w.send(http.StatusBadRequest, err.Error(), true)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	b.mu.Lock()
	b.open[id] = cancel
	b.mu.Unlock()
	go func() {
		b.answer(w, r)
		w.end()
		b.leave(id)
	}()
}

func (b *bridge) leave(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cancel, ok := b.open[id]; ok {
		cancel()
		delete(b.open, id)
	}
}

// A writer is an [http.ResponseWriter] for a worker.
type writer struct {
	id     int
	worker js.Value
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *writer) Header() http.Header         { return w.header }
func (w *writer) WriteHeader(status int)      { w.status = status }
func (w *writer) Write(p []byte) (int, error) { return w.body.Write(p) }

// Flush sends a piece of a stream.
func (w *writer) Flush() {
	w.send(w.status, w.body.String(), false)
	w.body.Reset()
}

func (w *writer) end() { w.send(w.status, w.body.String(), true) }

func (w *writer) send(status int, text string, end bool) {
	w.worker.Call("answer", w.id, status, text, end)
}
