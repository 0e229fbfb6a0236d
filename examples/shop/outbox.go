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

// An order is what the shop sends. The number identifies an order that is sent
// twice.
type order struct {
	Number uint64   `json:"number"`
	Visit  string   `json:"visit"` // the session's id; the cookie is a secret
	Items  []string `json:"items"`
	Total  int      `json:"total"`
}

// order puts an order that a chart has sent into the outbox.
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

// deliver sends the orders in the outbox, the oldest first, until ctx is done. It
// removes an order after send has returned nil. If send fails, or if the process
// ends in between, the order is sent again.
func (st *store) deliver(ctx context.Context, send func(context.Context, order) error) {
	for ctx.Err() == nil {
		more, err := st.deliverFirst(ctx, send)
		var again <-chan time.Time
		switch {
		case err != nil:
			slog.Error("cannot deliver an order; trying again in a minute", "error", err)
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
