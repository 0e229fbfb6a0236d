package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// checkTime bounds how long a step waits to learn whether the receiver of a message exists.
const checkTime = time.Second

// reachable returns why a message cannot be delivered, as far as that is known during the step that
// sends it: the chart then learns it at once. Nil promises nothing. It asks the store without the
// turn of the receiver, which may be sending to this session at the same time. What the cache knows
// may be old: it can say that there is a session, but not that there is none.
func (f *Fleet) reachable(id string, m scxml.Message) error {
	if m.Type != scxml.SCXMLEventProcessor {
		if f.cfg.Check != nil {
			return f.cfg.Check(id, m)
		}
		return nil
	}
	own, _, _ := strings.Cut(id, "~")
	key, _ := recipient(m.Target)
	if key == own || checkKey(key) != nil {
		return noSession(m.Target)
	}
	if f.cache.running(key) || time.Now().UnixNano() < f.slow.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	stored, err := f.store.Load(ctx, key)
	switch {
	case errors.Is(err, ErrNotFound):
		return noSession(m.Target)
	case ctx.Err() != nil:
		f.slow.Store(time.Now().Add(checkTime).UnixNano())
	case err == nil && slices.Contains(finished, stored.info().Status):
		return ErrEnded
	}
	return nil
}

func noSession(target string) error { return fmt.Errorf("%w: %q", errNoSession, target) }

// recipient returns the key of the session that a target names, and the id if it is one of those that
// the session has invoked.
func recipient(target string) (key, to string) {
	id := strings.TrimPrefix(target, "#_scxml_")
	if key, _, ok := strings.Cut(id, "~"); ok {
		return key, id
	}
	return id, ""
}
