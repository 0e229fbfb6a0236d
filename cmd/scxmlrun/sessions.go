package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/sessions"
)

const sessionsHelp = `Sessions asks a server that "scxmlrun serve" runs about its sessions, and changes them.

The server is at --server ADDRESS or SCXMLRUN_SERVER, by default on this machine. Its token
is SCXMLRUN_TOKEN, or in --token-file FILE, by default where serve writes it if it was
started in the same folder.

A session is suspended after an event, a timer or a report has failed three times, or has
ended the server as often. The session still accepts events, but it processes nothing until
somebody has decided: retry tries again, skip drops what has failed, stop ends the session.
Inbox shows the events that wait.

Exit status:
  1  the server cannot be reached, or refuses
  2  wrong usage`

const sessionsExample = `  scxmlrun sessions ls --status suspended
  scxmlrun sessions show order-17
  scxmlrun sessions retry order-17
  scxmlrun sessions migrate orders --state packing=shipping --try
  scxmlrun sessions delete --chart orders --older 30d --dry-run`

// sessionsOptions say where the server is, and how answers are shown.
type sessionsOptions struct {
	server, tokenFile string
	json              bool
}

// newSessionsCommand returns the command that looks after the sessions of a server.
func newSessionsCommand() *cobra.Command {
	o := new(sessionsOptions)
	cmd := &cobra.Command{
		Use:     "sessions COMMAND",
		Short:   "Look after the sessions of a server",
		Long:    sessionsHelp,
		Example: sessionsExample,
	}
	cmd.Args, cmd.RunE = cobra.ArbitraryArgs, func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cli.Usagef("which command? Write one of %s", cli.List(cli.CommandNames(cmd), "or"))
		}
		return cli.Usagef("unknown command %q%s", args[0], cli.DidYouMean(args[0], cli.CommandNames(cmd)))
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&o.server, "server", cmp.Or(os.Getenv("SCXMLRUN_SERVER"), "http://127.0.0.1:8420"), "`ADDRESS` of the server")
	flags.StringVar(&o.tokenFile, "token-file", "scxmlrun-data/token", "`FILE` with the token of the server")
	flags.BoolVar(&o.json, "json", false, "print the answers of the server as they are")
	cmd.AddCommand(
		o.list(), o.show(), o.create(), o.send(), o.inbox(), o.log(), o.export(), o.migrate(), o.prune(), o.backup(),
		o.change("suspend", "Stop processing events; the session still accepts them"),
		o.change("resume", "Process events again after suspend"),
		o.retry(),
		o.change("skip", "Drop what has failed, and continue after it"),
		o.change("stop", "End sessions with their onexit handlers"),
		o.delete(),
	)
	return cmd
}

// client returns a client of the server.
func (o *sessionsOptions) client() (*sessions.Client, error) {
	token := os.Getenv("SCXMLRUN_TOKEN")
	if token == "" {
		text, err := cli.ReadText(o.tokenFile, 4096)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, cli.Usagef("cannot find the token: set SCXMLRUN_TOKEN, or name the file that serve has written with --token-file; there is no %q here", o.tokenFile)
		} else if err != nil {
			return nil, cli.Usagef("cannot read the token in %q: %v", o.tokenFile, cli.Plain(err))
		}
		token = string(text)
	}
	return sessions.NewClient(o.server, strings.TrimSpace(token))
}

// command returns a command. It takes the arguments that its use names: in brackets what may be missing,
// and with … any number.
func (o *sessionsOptions) command(use, short string, f func(ctx context.Context, c *sessions.Client, args []string) error) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		most := len(strings.Fields(use)) - 1
		if least := most - strings.Count(use, "["); len(args) < least || len(args) > most && !strings.Contains(use, "…") {
			return cli.Usagef("write: %s %s", cmd.Parent().CommandPath(), use)
		}
		c, err := o.client()
		if err != nil {
			return err
		}
		err = f(cmd.Context(), c, args)
		if refusal := new(sessions.Refusal); errors.As(err, &refusal) && refusal.Status == http.StatusUnauthorized {
			err = errors.New("the token is missing or wrong: set SCXMLRUN_TOKEN, or name the file that serve has written with --token-file")
		}
		if err == nil || errors.As(err, new(*cli.Error)) {
			return err
		}
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	return cmd
}

// each returns a command that does something with each argument, also if that fails for some.
func (o *sessionsOptions) each(use, short string, f func(ctx context.Context, c *sessions.Client, arg string) error) *cobra.Command {
	return o.command(use, short, func(ctx context.Context, c *sessions.Client, args []string) (failed error) {
		for _, arg := range args {
			failed = errors.Join(failed, f(ctx, c, arg))
		}
		return failed
	})
}

func sessionPath(key, rest string) string { return "/v1/sessions/" + url.PathEscape(key) + rest }

// print prints an answer: as it is with --json, otherwise with show.
func (o *sessionsOptions) print(answer []byte, show func() error) error {
	if !o.json {
		return cli.Printed(0, show())
	}
	return cli.Printed(fmt.Println(strings.TrimSpace(string(answer))))
}

func (o *sessionsOptions) list() *cobra.Command {
	var chart string
	status := cli.Choice{All: []string{"running", "suspended", "final", "stopped"}}
	cmd := o.command("ls", "List sessions by key", func(ctx context.Context, c *sessions.Client, _ []string) error {
		query := url.Values{"limit": {"1000"}}
		if chart != "" {
			query.Set("chart", chart)
		}
		if status.Value != "" {
			query.Set("status", status.Value)
		}
		for head := true; ; head = false {
			answer, err := c.Do(ctx, sessions.Request{Method: "GET", Path: "/v1/sessions", Query: query})
			page, err := sessions.Decode[sessions.List](answer, err)
			if err != nil {
				return err
			}
			if err := o.print(answer, func() error { return sessions.WriteList(os.Stdout, page.Sessions, head) }); err != nil || page.Next == "" {
				return err
			}
			query.Set("after", page.Next)
		}
	})
	cmd.Flags().StringVar(&chart, "chart", "", "only sessions of the chart `NAME`")
	status.Flag(cmd, "status", "only sessions with this status: "+cli.List(status.All, "or"))
	return cmd
}

func (o *sessionsOptions) show() *cobra.Command {
	return o.each("show KEY…", "Show what sessions do, wait for, and failed to do", func(ctx context.Context, c *sessions.Client, key string) error {
		return answered(o, sessions.WriteSession)(c.Do(ctx, sessions.Request{Method: "GET", Path: sessionPath(key, "")}))
	})
}

// change returns a command that posts its name to sessions.
func (o *sessionsOptions) change(name, short string) *cobra.Command {
	return o.each(name+" KEY…", short, func(ctx context.Context, c *sessions.Client, key string) error {
		return answered(o, sessions.WriteSession)(c.Do(ctx, sessions.Request{Method: "POST", Path: sessionPath(key, "/"+name)}))
	})
}

// retry returns a command that tries again what has failed: of some sessions, or of all suspended ones that
// its flags want.
func (o *sessionsOptions) retry() *cobra.Command {
	var chart, reason string
	var all bool
	cmd := o.change("retry", "Try again what has failed")
	some := cmd.RunE
	cmd.Use = "retry [KEY…]"
	suspended := o.command("retry", cmd.Short, func(ctx context.Context, c *sessions.Client, _ []string) error {
		query := url.Values{"limit": {"1000"}, "status": {"suspended"}}
		if chart != "" {
			query.Set("chart", chart)
		}
		n := 0
		for {
			page, err := sessions.Decode[sessions.List](c.Do(ctx, sessions.Request{Method: "GET", Path: "/v1/sessions", Query: query}))
			if err != nil {
				return err
			}
			for _, one := range page.Sessions {
				retried, err := o.retrySuspended(ctx, c, one.Key, reason)
				if err != nil {
					return fmt.Errorf("%w; %d sessions were tried again before", err, n)
				}
				n += retried
			}
			if page.Next == "" {
				break
			}
			query.Set("after", page.Next)
		}
		if o.json {
			return nil
		}
		return cli.Printed(fmt.Printf("%d tried again\n", n))
	}).RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		many := all || chart != "" || reason != ""
		if many == (len(args) > 0) {
			return cli.Usagef("which sessions? Write their keys, or --chart, --reason or --all")
		}
		if many {
			return suspended(cmd, nil)
		}
		return some(cmd, args)
	}
	cmd.Long = `Retry lets sessions try again at once what has failed, with three attempts anew: those whose keys are
given, or all that are suspended because of a failure and that fit --chart and --reason. Those that were
suspended by hand wait for resume.`
	cmd.Example = `  scxmlrun sessions retry order-17
  scxmlrun sessions retry --chart order --reason 'event paid'`
	flags := cmd.Flags()
	flags.StringVar(&chart, "chart", "", "suspended sessions of the chart `NAME`")
	flags.StringVar(&reason, "reason", "", "suspended sessions whose failure, as show has it, contains `TEXT`")
	flags.BoolVar(&all, "all", false, "all suspended sessions")
	return cmd
}

// retrySuspended retries a session if it is suspended for a reason. It returns 0 if it is not.
func (o *sessionsOptions) retrySuspended(ctx context.Context, c *sessions.Client, key, reason string) (retried int, err error) {
	s, err := sessions.Decode[sessions.Session](c.Do(ctx, sessions.Request{Method: "GET", Path: sessionPath(key, "")}))
	if err == nil && s.Status == "suspended" && s.Failure != nil && strings.Contains(s.Failure.What+": "+s.Failure.Message, reason) {
		why := s.Failure.What + ": " + s.Failure.Message
		var answer []byte
		if answer, err = c.Do(ctx, sessions.Request{Method: "POST", Path: sessionPath(key, "/retry")}); err == nil {
			return 1, o.print(answer, func() error { return sessions.WriteReason(os.Stdout, key, why) })
		}
	}
	if refusal := new(sessions.Refusal); errors.As(err, &refusal) && (refusal.Status == http.StatusNotFound || refusal.Status == http.StatusConflict) {
		err = nil // somebody else was faster
	}
	return 0, err
}

// answered returns a function that prints an answer, which is a T.
func answered[T any](o *sessionsOptions, show func(io.Writer, *T) error) func(answer []byte, err error) error {
	return func(answer []byte, err error) error {
		shown, err := sessions.Decode[T](answer, err)
		if err != nil {
			return err
		}
		return o.print(answer, func() error { return show(os.Stdout, &shown) })
	}
}
