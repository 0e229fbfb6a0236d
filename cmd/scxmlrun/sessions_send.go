package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/sessions"
)

func (o *sessionsOptions) create() *cobra.Command {
	var data []string
	cmd := o.command("create CHART [KEY]", "Create and start a session", func(ctx context.Context, c *sessions.Client, args []string) error {
		body := map[string]any{"chart": args[0]}
		if len(args) == 2 {
			body["key"] = args[1]
		}
		values := map[string]json.RawMessage{}
		for _, d := range data {
			id, text, ok := strings.Cut(d, "=")
			if !ok || id == "" {
				return cli.Usagef("--data %s: write id=JSON or id=@file", d)
			}
			value, err := jsonArgument(text)
			if err != nil {
				return cli.Usagef("--data %s: %w", id, err)
			}
			values[id] = value
		}
		if len(values) > 0 {
			body["data"] = values
		}
		return answered(o, sessions.WriteSession)(c.Do(ctx, sessions.Request{Method: "POST", Path: "/v1/sessions", Body: body}))
	})
	cmd.Long = `Create starts a session of a chart of the server. Without a KEY the server makes one.`
	cmd.Flags().StringArrayVar(&data, "data", nil, "initial value of a top-level data item, as `ID=JSON` or id=@file; may be repeated")
	return cmd
}

// jsonArgument returns the JSON that an argument is, or that the file has which it names after an @.
func jsonArgument(text string) (json.RawMessage, error) {
	raw := []byte(text)
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		var err error
		if raw, err = cli.ReadText(name, file.MaxInput); err != nil {
			return nil, fmt.Errorf("cannot read %q: %w", name, cli.Plain(err))
		}
	}
	if raw = bytes.TrimSpace(raw); !json.Valid(raw) {
		return nil, fmt.Errorf("%.40q is not JSON; a text has quotes: '\"%.40s\"'", raw, raw)
	}
	return raw, nil
}

func (o *sessionsOptions) send() *cobra.Command {
	var id string
	var wait bool
	patience := 30 * time.Second
	cmd := o.command("send KEY EVENT [DATA]", "Send an event to a session", func(ctx context.Context, c *sessions.Client, args []string) error {
		event := map[string]any{"name": args[1]}
		if len(args) == 3 {
			data, err := jsonArgument(args[2])
			if err != nil {
				return cli.Usagef("DATA: %w", err)
			}
			event["data"] = data
		}
		r := sessions.Request{Method: "POST", Path: sessionPath(args[0], "/events"), Body: event, IdempotencyKey: cmp.Or(id, rand.Text())}
		if wait {
			r.Query = url.Values{"wait": {"true"}}
		}
		answer, err := c.Insist(ctx, patience, r)
		receipt, err := sessions.Decode[sessions.Receipt](answer, err)
		if err == nil {
			err = o.print(answer, func() error { return sessions.WriteReceipt(os.Stdout, &receipt) })
		}
		if err == nil {
			err = receipt.Err()
		}
		return err
	})
	cmd.Long = `Send sends an event. DATA is JSON, or @FILE. The event is stored when send succeeds, and the
session processes it once.

If there is no answer, or the inbox of the session is full, send repeats the request with the
same id for some time. To repeat a send that has failed, give both the same --id.

With --wait, send exits with status 1 if something has failed in the chart, such as a script, and says
what. What the chart did is stored nevertheless. If the event was accepted before, "scxmlrun sessions
log KEY" tells what it did.`
	cmd.Flags().StringVar(&id, "id", "", "`ID` of the event (default: a random one)")
	cmd.Flags().BoolVar(&wait, "wait", false, "wait until the session has processed the event, and say what that did")
	cmd.Flags().DurationVar(&patience, "retry", patience, "`TIME` for which a request without an answer is repeated")
	return cmd
}

func (o *sessionsOptions) log() *cobra.Command {
	var after uint64
	cmd := o.command("log KEY", "Show what has happened to a session", func(ctx context.Context, c *sessions.Client, args []string) error {
		if o.json {
			return pages(ctx, c, args[0], after, func(page *sessions.Log[json.RawMessage]) error {
				for _, entry := range page.Entries {
					if err := cli.Printed(fmt.Println(string(entry))); err != nil {
						return err
					}
				}
				return nil
			})
		}
		head := true
		return pages(ctx, c, args[0], after, func(page *sessions.Log[sessions.Entry]) error {
			defer func() { head = false }()
			return cli.Printed(0, sessions.WriteLog(os.Stdout, page.Entries, head))
		})
	})
	cmd.Flags().Uint64Var(&after, "after", 0, "only entries after this `REVISION`")
	return cmd
}

func (o *sessionsOptions) inbox() *cobra.Command {
	return o.command("inbox KEY", "Show the events that wait, with their data", func(ctx context.Context, c *sessions.Client, args []string) error {
		return answered(o, sessions.WriteInbox)(c.Do(ctx, sessions.Request{Method: "GET", Path: sessionPath(args[0], "/inbox")}))
	})
}

// pages calls f for each page of a log.
func pages[E any](ctx context.Context, c *sessions.Client, key string, after uint64, f func(*sessions.Log[E]) error) error {
	for {
		query := url.Values{"limit": {"1000"}, "after": {strconv.FormatUint(after, 10)}}
		page, err := sessions.Decode[sessions.Log[E]](c.Do(ctx, sessions.Request{Method: "GET", Path: sessionPath(key, "/events"), Query: query}))
		if err == nil {
			err = f(&page)
		}
		if err != nil || page.Next == 0 {
			return err
		}
		after = page.Next
	}
}
