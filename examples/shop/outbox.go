package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"log/slog"
	"time"

	"go.etcd.io/bbolt"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// An order is what leaves the shop. The number tells two orders from one that
// comes twice.
type order struct {
	Number uint64   `json:"number"`
	Visit  string   `json:"visit"` // the session's id; the visitor's cookie is nobody else's business
	Items  []string `json:"items"`
	Total  int      `json:"total"`
}

// order puts what a chart has sent into the outbox.
func (st *store) order(tx *bbolt.Tx, ev scxml.Event) error {
	o, err := scxml.EventData[order](ev)
	if err != nil {
		return err
	}
	outbox := tx.Bucket(outboxBucket)
	if o.Number, err = outbox.NextSequence(); err != nil {
		return err
	}
	value, err := json.Marshal(o)
	if err != nil {
		return err
	}
	tx.OnCommit(func() {
		select {
		case st.ordered <- struct{}{}:
		default:
		}
	})
	return outbox.Put(binary.BigEndian.AppendUint64(nil, o.Number), value)
}

// deliver takes orders out of the outbox, the oldest first, until ctx is done.
// An order is out of it only after send has returned nil, so that it is sent
// again if that fails, or if the process dies in between.
func (st *store) deliver(ctx context.Context, send func(context.Context, order) error) {
	for ctx.Err() == nil {
		more, err := st.deliverFirst(ctx, send)
		var again <-chan time.Time
		switch {
		case err != nil:
			slog.Error("an order was not delivered, and is tried again in a minute", "error", err)
			again = time.After(time.Minute)
		case more:
			continue
		}
		select {
		case <-ctx.Done():
		case <-st.ordered:
		case <-again:
		}
	}
}

// deliverFirst delivers the oldest order, if there is one.
func (st *store) deliverFirst(ctx context.Context, send func(context.Context, order) error) (bool, error) {
	var key []byte
	var o order
	err := st.db.View(func(tx *bbolt.Tx) error {
		k, value := tx.Bucket(outboxBucket).Cursor().First()
		if k == nil {
			return nil
		}
		key = bytes.Clone(k)
		return json.Unmarshal(value, &o)
	})
	if err == nil && key != nil {
		err = send(ctx, o)
	}
	if err != nil || key == nil {
		return false, err
	}
	return true, st.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(outboxBucket).Delete(key) })
}
