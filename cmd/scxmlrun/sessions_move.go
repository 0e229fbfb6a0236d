package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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

func (o *sessionsOptions) export() *cobra.Command {
	cmd := o.each("export KEY…", "Print all that the server keeps of sessions, as JSON", func(ctx context.Context, c *sessions.Client, key string) error {
		var export struct {
			Session  json.RawMessage   `json:"session"`
			Inbox    json.RawMessage   `json:"inbox"`
			Snapshot json.RawMessage   `json:"snapshot"`
			Log      []json.RawMessage `json:"log"`
		}
		get := func(rest string) (json.RawMessage, error) {
			return c.Do(ctx, sessions.Request{Method: "GET", Path: sessionPath(key, rest)})
		}
		var err error
		if export.Session, err = get(""); err != nil {
			return err
		}
		if export.Inbox, err = get("/inbox"); err != nil {
			return err
		}
		if export.Snapshot, err = get("/snapshot"); err != nil {
			return err
		}
		err = pages(ctx, c, key, 0, func(page *sessions.Log[json.RawMessage]) error {
			export.Log = append(export.Log, page.Entries...)
			return nil
		})
		if err != nil {
			return err
		}
		return cli.PrintJSON(export)
	})
	cmd.Long = `Export prints one line of JSON for each session: "session" as show --json has it, "inbox" with
the events that wait, "snapshot" in the form of SNAPSHOT.md, and "log". Suspend a session that is at
work before: the parts are read one after the other. A snapshot has all data of the session, and whoever restores
it runs what it says: keep it as you keep the store.`
	return cmd
}

func (o *sessionsOptions) backup() *cobra.Command {
	cmd := o.command("backup FILE", "Copy the store of the server to a file, while it works", func(ctx context.Context, c *sessions.Client, args []string) error {
		report, err := writeBackup(args[0], func(w io.Writer) error {
			return c.Copy(ctx, sessions.Request{Method: "GET", Path: "/v1/backup"}, w)
		})
		if err != nil {
			return err
		}
		return printReport(os.Stdout, args[0], report, o.json)
	})
	cmd.Long = `Backup copies the store to FILE and checks it; FILE is written completely or not at all. To restore
it, see "scxmlrun store backup --help". The token needs the scope admin.`
	return cmd
}

func (o *sessionsOptions) migrate() *cobra.Command {
	var from, to, script, prefix, share string
	var states []string
	var try bool
	cmd := o.command("migrate CHART [KEY…]", "Move sessions to another version of their chart", func(ctx context.Context, c *sessions.Client, args []string) error {
		body := map[string]any{"try": try}
		renamed := map[string]string{}
		for _, s := range states {
			old, id, ok := strings.Cut(s, "=")
			if !ok || old == "" || id == "" {
				return cli.Usagef("--state %s: write the ids as OLD=NEW", s)
			}
			renamed[old] = id
		}
		if name, isFile := strings.CutPrefix(script, "@"); isFile {
			text, err := cli.ReadText(name, file.MaxInput)
			if err != nil {
				return cli.Usagef("--script: cannot read %q: %v", name, cli.Plain(err))
			}
			script = string(text)
		}
		if share != "" {
			percent, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
			if !strings.HasSuffix(share, "%") || err != nil || !(percent > 0 && percent <= 100) {
				return cli.Usagef("--share %s: want more than 0%% and at most 100%%, such as 1%%", share)
			}
			body["share"] = percent / 100
		}
		if len(args) > 1 {
			body["keys"] = args[1:]
		}
		for name, value := range map[string]string{"from": from, "to": to, "script": script, "prefix": prefix} {
			if value != "" {
				body[name] = value
			}
		}
		if len(renamed) > 0 {
			body["states"] = renamed
		}
		answer, err := c.Do(ctx, sessions.Request{Method: "POST", Path: "/v1/charts/" + url.PathEscape(args[0]) + "/migrate", Body: body, Timeout: 15 * time.Minute})
		if refusal := new(sessions.Refusal); errors.As(err, &refusal) && refusal.Status == http.StatusConflict {
			answer, err = refusal.Body, nil // the same report
		}
		report, err := sessions.Decode[sessions.Report](answer, err)
		if err != nil {
			return err
		}
		if err := o.print(answer, func() error { return sessions.WriteReport(os.Stdout, &report, try) }); err != nil {
			return err
		}
		if len(report.Unfit) > 0 {
			outcome := "nothing has changed"
			if report.Migrated > 0 { // events have come after the trial
				outcome = fmt.Sprintf("%d had been migrated when that was found, and stay so", report.Migrated)
			}
			return fmt.Errorf("%d of %d sessions of %q do not fit; %s", report.Tried-report.Fit, report.Tried, args[0], outcome)
		}
		return nil
	})
	cmd.Long = `Migrate moves sessions to the version of CHART that new sessions run. Each session is tried on a
copy first. If one does not fit, migrate names it, says why and changes nothing.

States are found by their ids: name those that have another id now with --state. Data items
that the new version adds are undefined until a --script sets them. It is an expression, in which
a comma separates several: 'rebate = 0, parcels = 1'.

With KEYs, --prefix or --share only some sessions move, and the others keep their version. A share is
chosen by the keys: --share 10% has all sessions that --share 1% had, and those that have moved
already do not count.

Rehearse with --try, which changes nothing at all.`
	cmd.Example = `  scxmlrun sessions migrate orders --try
  scxmlrun sessions migrate orders --share 1%
  scxmlrun sessions migrate orders order-17 order-18
  scxmlrun sessions migrate orders --state packing=shipping --script 'rebate = 0'`
	flags := cmd.Flags()
	flags.StringVar(&from, "from", "", "only sessions of the version with this `HASH` (default: all others)")
	flags.StringVar(&to, "to", "", "`HASH` of the version to move to (default: the one of new sessions)")
	flags.StringVar(&prefix, "prefix", "", "only sessions whose keys begin with this `TEXT`")
	flags.StringVar(&share, "share", "", "only about this `PART` of the sessions, such as 1%")
	flags.StringArrayVar(&states, "state", nil, "a state with another id now, as `OLD=NEW`; may be repeated")
	flags.StringVar(&script, "script", "", "`TEXT` or @FILE of an expression to evaluate in each session that was moved")
	flags.BoolVar(&try, "try", false, "change nothing, and say what would happen")
	return cmd
}

func (o *sessionsOptions) prune() *cobra.Command {
	cmd := o.each("prune CHART…", "Remove versions of charts that no session has", func(ctx context.Context, c *sessions.Client, name string) error {
		path := "/v1/charts/" + url.PathEscape(name)
		chart, err := sessions.Decode[struct {
			Hash     string
			Versions []string
		}](c.Do(ctx, sessions.Request{Method: "GET", Path: path}))
		for _, hash := range chart.Versions {
			if hash == chart.Hash || err != nil {
				continue
			}
			outcome := "removed"
			_, err = c.Do(ctx, sessions.Request{Method: "DELETE", Path: path + "/versions/" + hash})
			if refusal := new(sessions.Refusal); errors.As(err, &refusal) && refusal.Status == http.StatusConflict {
				outcome, err = "has sessions", nil
			}
			if err == nil {
				err = cli.Printed(fmt.Printf("%s %.12s %s\n", name, hash, outcome))
			}
		}
		return err
	})
	cmd.Long = `Prune removes the old versions of a chart from the server. The one that new sessions run remains, and
so do those that sessions have, ended ones included: migrate the sessions or delete them first. The
token needs the scope admin.`
	return cmd
}
