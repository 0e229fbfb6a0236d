package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/sessions"
)

const deleteHelp = `Delete removes sessions and their logs. Nothing of the chart runs, and what a session has
in its outbox is not sent. Its key can be used again: the new session knows nothing of
the old one, and takes an event with an id that the old one has taken.

Without a KEY it deletes those that --chart, --status and --older select. Only sessions
that have ended are, unless --status names others. One that has ended stays while what it
has sent has not arrived, or while another session does not know yet that its message
to it has: repeat delete later. Rehearse with --dry-run.

To delete sessions some time after their end, see "scxmlrun serve --help".`

// deletion is what delete has done.
type deletion struct {
	Deleted int    `json:"deleted"`
	Busy    int    `json:"busy"`
	Next    string `json:"next,omitempty"`
}

func (o *sessionsOptions) delete() *cobra.Command {
	var chart, older string
	var status []string
	var dry bool
	all := []string{"running", "suspended", "final", "stopped"}
	cmd := o.command("delete [KEY]…", "Delete sessions and their logs, without their onexit handlers", func(ctx context.Context, c *sessions.Client, keys []string) (failed error) {
		selects := chart != "" || older != "" || len(status) > 0
		switch {
		case len(keys) > 0 && (selects || dry):
			return cli.Usagef("delete: want keys, or --chart, --status and --older")
		case len(keys) == 0 && !selects:
			return cli.Usagef("delete which sessions? Write their keys, or, for example: scxmlrun sessions delete --status final --older 30d --dry-run")
		}
		for _, key := range keys {
			_, err := c.Do(ctx, sessions.Request{Method: "DELETE", Path: sessionPath(key, "")})
			failed = errors.Join(failed, err)
		}
		if len(keys) > 0 {
			return failed
		}
		body := map[string]any{"chart": chart, "try": dry}
		for _, s := range status {
			if !slices.Contains(all, s) {
				return cli.Usagef("--status %s: want %s, with commas between several%s", s, cli.List(all, "or"), cli.DidYouMean(s, all))
			}
		}
		if len(status) > 0 {
			body["status"] = status
		}
		if older != "" {
			d, err := cli.Duration(older)
			if err != nil {
				return cli.Usagef("--older: %v", err)
			}
			body["older"] = int64((d + time.Second - 1) / time.Second)
		}
		return o.deleteSome(ctx, c, body, dry)
	})
	cmd.Use, cmd.Long = "delete [KEY…]", deleteHelp
	cmd.Example = "  scxmlrun sessions delete order-17\n" +
		"  scxmlrun sessions delete --chart orders --status final,stopped --older 30d --dry-run"
	flags := cmd.Flags()
	flags.StringVar(&chart, "chart", "", "only sessions of the chart `NAME`")
	flags.StringSliceVar(&status, "status", nil, "only sessions with this `STATUS`: "+cli.List(all, "or")+", with commas between several (default final,stopped)")
	flags.StringVar(&older, "older", "", "only sessions that ended at least this `TIME` ago, such as 30d or 12h")
	flags.BoolVar(&dry, "dry-run", false, "delete nothing, and say how many sessions would be deleted")
	return cmd
}

// deleteSome deletes what a request selects, and says how many sessions that are.
func (o *sessionsOptions) deleteSome(ctx context.Context, c *sessions.Client, body map[string]any, dry bool) error {
	var sum deletion
	line := cli.NewProgress()
	for more := true; more; more = sum.Next != "" {
		body["after"] = sum.Next
		answer, err := c.Do(ctx, sessions.Request{Method: "POST", Path: "/v1/delete", Body: body, Timeout: 15 * time.Minute})
		page, err := sessions.Decode[deletion](answer, err)
		if err != nil {
			line.Clear()
			if sum.Deleted > 0 && !dry {
				err = fmt.Errorf("%w; %d sessions had been deleted before", err, sum.Deleted)
			}
			return err
		}
		sum = deletion{sum.Deleted + page.Deleted, sum.Busy + page.Busy, page.Next}
		if line.Due() {
			line.Write(fmt.Sprintf("%d sessions", sum.Deleted))
		}
	}
	line.Clear()
	if o.json {
		return cli.PrintJSON(sum)
	}
	text := fmt.Sprintf("sessions deleted: %d", sum.Deleted)
	if dry {
		text = fmt.Sprintf("sessions to delete: %d", sum.Deleted)
	}
	if sum.Busy > 0 {
		text += fmt.Sprintf("; ended, but kept for now: %d, because what they have sent, or were sent, is on its way", sum.Busy)
	}
	return cli.Printed(fmt.Println(text))
}
