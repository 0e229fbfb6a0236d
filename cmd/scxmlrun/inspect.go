package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/run"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/inspect"
)

const inspectHelp = `Inspect runs charts and shows them on a page in the browser, until Ctrl+C: the
picture with its active states, the log with cause and effect, data and what has
changed, delayed events, and forms for the events that can be sent. A slider goes
back to any step, and a branch continues from there. A branch sends nothing out
and starts no service: it shows what it would do. In place of a chart, a recording
(scxmlrun run --record FILE) is shown as it was, and only branches continue it.

The first line of the output is the address of the page. It contains a token: anyone
who has it can send events. The last one is for people who may only look.

The page is served on this machine only. --listen ADDRESS with another address needs
--remote, and then everyone who reaches the address and has the token can use the page.
It is not encrypted.

Exit status:
  1    a failure at run time
  2    wrong usage
  3    a document was refused
  130  interrupted, as with Ctrl+C`

const inspectExample = `  scxmlrun inspect charts/sudoku.scxml
  scxmlrun inspect --listen 127.0.0.1:8080 --seed 1 door.scxml lift.scxml
  scxmlrun inspect bug.rec`

type inspectOptions struct {
	listen string
	remote bool
	hosts  []string
	data   []string
	limits []string
	strict bool
	seed   *uint64
	clock  cli.Choice
}

// newInspectCommand returns the command that shows running charts on a page.
func newInspectCommand() *cobra.Command {
	o := inspectOptions{clock: cli.Choice{Value: "real", All: []string{"real", "virtual"}}}
	var seed uint64
	cmd := &cobra.Command{
		Use:     "inspect FILE…",
		Short:   "Show running charts in the browser",
		Long:    inspectHelp,
		Example: inspectExample,
		Args:    cobra.ArbitraryArgs, // see runInspect, which says more than cobra
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				o.seed = &seed
			}
			return runInspect(cmd.Context(), &o, args)
		},
		ValidArgsFunction: completeCharts,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "`ADDRESS` to serve the page at; the port may be 0")
	flags.BoolVar(&o.remote, "remote", false, "serve other machines too")
	flags.StringArrayVar(&o.hosts, "host", nil, "a `NAME` of this machine by which others reach it; may be repeated")
	o.clock.Flag(cmd, "clock", "real, or virtual: time advances only when the page says so")
	flags.StringArrayVar(&o.data, "data", nil, "initial value of a top-level data item, as `ID=JSON` or id=@file; may be repeated")
	flags.Uint64Var(&seed, "seed", 0, "seed `NUMBER` of Math.random and generated ids (default: random; 1 on a virtual clock)")
	flags.BoolVar(&o.strict, "strict", false, "apply the limits for untrusted charts, and refuse events that the chart itself sends")
	flags.StringArrayVar(&o.limits, "limit", nil, "change a limit, as `NAME=VALUE`, for example Microsteps=1000 or ScriptTime=100ms; may be repeated")
	return cmd
}

func runInspect(parent context.Context, o *inspectOptions, files []string) error {
	if len(files) == 0 {
		return cli.Usagef("which charts? Name their files, for example: scxmlrun inspect charts/sudoku.scxml; run %q for more", "scxmlrun inspect --help")
	}
	limits, err := load.Limits(o.strict, o.limits)
	if err != nil {
		return err
	}
	load.BoundMatches(limits)
	l, err := o.open()
	if err != nil {
		return err
	}
	in := inspect.New(inspect.Config{Remote: o.remote, AllowHosts: o.hosts})
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	var all sync.WaitGroup
	defer all.Wait() // for what the sessions do at their end
	defer cancel(nil)
	defer l.Close()
	var sessions []*scxml.Session
	for _, file := range files {
		var s *scxml.Session
		if recording.Is(file) {
			err = o.addRecording(ctx, in, file)
		} else {
			s, err = o.newSession(in, file, limits)
		}
		if err != nil {
			return err
		}
		sessions = append(sessions, s)
	}
	if err := cli.Printed(io.WriteString(os.Stdout, links(in, addresses(l)))); err != nil {
		return err
	}
	for i, s := range sessions {
		if s == nil {
			continue
		}
		if o.clock.Value == "virtual" { // the page drives it
			report(files[i], s.Start(ctx))
		} else {
			all.Go(func() { report(files[i], s.Run(ctx)) })
		}
	}
	if err := in.Serve(ctx, l); err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	return &cli.Error{Status: cli.Interrupted}
}

// links returns the lines with the addresses of the page.
func links(in *inspect.Inspector, bases []string) string {
	var b strings.Builder
	for _, base := range bases {
		fmt.Fprintln(&b, in.URL(base))
	}
	fmt.Fprintf(&b, "read-only: %s\n", in.ReadURL(bases[0]))
	return b.String()
}

// open listens at the address of --listen.
func (o *inspectOptions) open() (net.Listener, error) {
	return listen(o.listen, o.remote, "; add --remote to serve other machines")
}

// listen listens at the address of --listen, which must be one of this machine only unless remote is
// true. Or is what else can be done.
func listen(address string, remote bool, or string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, cli.Usagef("--listen %s: want an address and a port, such as 127.0.0.1:8080", address)
	}
	if ip := net.ParseIP(host); !remote && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, cli.Usagef("--listen %s is not an address of this machine only, such as 127.0.0.1:8080%s", address, or)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, cli.Usagef("--listen %s: %v", address, cli.Plain(err))
	}
	return l, nil
}

// newSession returns a session of a chart, which the page shows.
func (o *inspectOptions) newSession(in *inspect.Inspector, file string, limits scxml.Limits) (*scxml.Session, error) {
	source, folder, err := load.Read(file, limits)
	if err != nil {
		return nil, err
	}
	chart, err := load.Compile(file, source, folder, limits)
	if err != nil {
		return nil, err
	}
	options, err := run.Data(chart, o.data)
	if err != nil {
		return nil, err
	}
	if o.strict {
		options = append(options, scxml.WithAccept(chart.IsUserEvent))
	}
	options = append(options, scxml.WithMissing())
	virtual := o.clock.Value == "virtual"
	if virtual {
		options = append(options, scxml.WithClock(func() time.Time { return drive.VirtualStart }), scxml.WithSeed(1))
	}
	if o.seed != nil {
		options = append(options, scxml.WithSeed(*o.seed))
	}
	h, err := history.New(history.Config{Chart: chart, Options: options, Bytes: 256 << 20})
	if err != nil {
		return nil, err
	}
	s, err := scxml.New(chart, append(options, h.Option())...)
	if err != nil {
		return nil, &cli.Error{Status: cli.Failed, Err: err}
	}
	in.Add(inspect.Session{Name: filepath.Base(file), History: h, Files: folder, Virtual: virtual, Drive: virtual})
	return s, nil
}

// addRecording replays a recording, which the page shows.
func (o *inspectOptions) addRecording(ctx context.Context, in *inspect.Inspector, file string) error {
	rec, err := recording.Open(file, "")
	if err != nil {
		return err
	}
	rec.Warn(os.Stderr)
	line := cli.NewProgress()
	h, err := rec.Replay(ctx, rec.Config, false, func(at history.Position) error {
		rec.Progress(line, at.N)
		return nil
	})
	line.Clear()
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("%s: %w", file, err)}
	}
	// What it shows at the end is a copy, which nobody drives: branches continue it.
	in.Add(inspect.Session{Name: filepath.Base(file), History: h, Files: rec.Files, ReadOnly: true, Virtual: true})
	return nil
}

// report prints the limit that has ended a session. The page shows other ends.
func report(file string, err error) {
	if limit := new(scxml.LimitError); errors.As(err, &limit) {
		fmt.Fprintf(os.Stderr, "scxmlrun: %s: %v\n", file, err)
	}
}

// addresses returns the URLs at which a listener is reached.
func addresses(l net.Listener) (all []string) {
	at, ok := l.Addr().(*net.TCPAddr)
	if !ok || !at.IP.IsUnspecified() {
		return []string{"http://" + l.Addr().String() + "/"}
	}
	own, _ := net.InterfaceAddrs() // 127.0.0.1 is left
	for _, a := range own {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			all = append(all, fmt.Sprintf("http://%s/", net.JoinHostPort(n.IP.String(), strconv.Itoa(at.Port))))
		}
	}
	return append(all, "http://"+net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port))+"/")
}
