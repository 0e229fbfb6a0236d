// Package serve carries out the command serve: it loads charts, opens the store, listens, and drains
// at the end. Package rest answers the requests, and package fleet keeps the sessions.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/console"
	"github.com/scxmlrun/scxmlrun/cmd/internal/copies"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/store"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/census"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/metrics"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// Options are the flags of the command, and its charts.
type Options struct {
	Charts    []string // files and folders
	Listen    string
	Store     string // a folder or URL
	Local     string // the folder for the token if the store is not a folder
	Tokens    string // file; "" means the token of the store
	Cert, Key string // files
	Host      string // the name of this process among those that share the store; "" chooses one
	Public    string // URL; "" means the address at which it listens
	Hosts     []string
	Origins   []string
	Targets   []string // hosts to which charts may send
	Retry     scxml.Retry
	Isolate   string // a mode of package wall, for the charts of the command line
	Strict    bool
	Limits    []string
	Drain     time.Duration
	Keep      []string // see fleet.Config.KeepFinished, as TIME or CHART=TIME
	Sessions  int      // in the store
	IDs       int      // of a session; 0 means the default
	IDsFor    time.Duration
	Cache     int // sessions in memory
	CacheSize int // MB of their records
	Workers   int
	LogFormat string // text or json
	LogLevel  string // as slog.Level has it
	LogData   bool

	public *url.URL                 // of Public
	keep   map[string]time.Duration // of Keep
}

// Run serves until the process gets a signal.
func Run(parent context.Context, o *Options) error {
	place, err := o.check()
	if err != nil {
		return err
	}
	limits, err := load.Limits(o.Strict, o.Limits)
	if err != nil {
		return err
	}
	load.BoundMatches(limits)
	log := o.logger()
	all := &charts{options: o, limits: limits, log: log}
	defer all.close()
	if err := all.read(parent); err != nil {
		return err
	}
	l, err := o.listen()
	if err != nil {
		return err
	}
	defer l.Close()
	var stopped *cli.Error
	opened, err := open(parent, place, l, log)
	if errors.As(err, &stopped) && stopped.Status == cli.Interrupted {
		log.Info("stopped")
		return nil
	} else if errors.Is(err, fleet.ErrCorrupt) || errors.Is(err, fleet.ErrLost) {
		return &cli.Error{Status: cli.Refused, Err: err} // as store check says
	} else if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	defer opened.Close()
	tokens, where, err := o.tokens(place.Local)
	if err != nil {
		return err
	}
	base := baseURL(l, o.Cert != "")
	people := census.New()
	counts := metrics.New(people)
	cfg := o.config(base, log)
	ready := &readiness{store: opened}
	cfg.Observers = []fleet.Observer{people.Observer(), counts.Observer(), ready.observer()}
	if stop, err := export(&cfg, log); err != nil {
		return err
	} else if stop != nil {
		defer stop()
	}
	if cfg.Host, err = o.hostName(opened, l); err != nil {
		return err
	}
	cfg.Learn = func(ctx context.Context, _ string) error { return all.learn(ctx) }
	f, err := fleet.New(opened, cfg)
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	defer f.Close()
	if err := all.define(parent, opened, f); err != nil {
		return err
	}
	server := rest.New(rest.Config{
		Fleet: f, Tokens: tokens, Upload: all.upload, Remove: all.remove, Ready: ready.check, Backup: backup(opened), Logger: log,
		Census: people, Metrics: func(w io.Writer) error { return counts.Write(w, f) }, Picture: all.picture, Page: console.New(), Copies: copies.New(copies.Config{Fleet: f}),
		URL: o.public, Remote: !o.isLocal(), AllowHosts: o.Hosts, AllowOrigins: o.Origins,
	})
	last := cli.NewLast()
	ctx, cancel := cli.Interruptible(parent, nil, last)
	defer cancel(nil)
	if err := cli.Printed(fmt.Print(greeting(base, where, o.Tokens != "", f.Charts()))); err != nil {
		return err
	}
	if cfg.Host != "" {
		go all.follow(ctx)
	}
	return last.Save(func() error { // only a second signal ends it before it has drained, and has left the store
		defer opened.Close()
		defer f.Close()
		return o.serve(ctx, server, f, people, l, log)
	})
}

// rescan is how often the list of all sessions is read, for what other processes have changed in the store.
const rescan = time.Minute

// serve runs the fleet and answers requests until ctx is done. Then it lets both complete what they
// have begun.
func (o *Options) serve(ctx context.Context, server *rest.Server, f *fleet.Fleet, people *census.Census, l net.Listener, log *slog.Logger) error {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ran := make(chan error, 1)
	serving, end := context.WithCancelCause(ctx)
	defer end(nil)
	go func() {
		err := f.Run(running)
		end(err) // a fleet that fails ends the server
		ran <- err
	}()
	go people.Run(running, f, rescan)
	log.Info("serving", "address", l.Addr().String())
	told := make(chan struct{})
	defer context.AfterFunc(serving, func() {
		log.Info("stopping", "reason", context.Cause(serving))
		close(told)
	})()
	err := server.Serve(serving, l, o.Drain/2)
	stop()
	select {
	case runErr := <-ran:
		if !errors.Is(runErr, context.Canceled) { // which stop causes
			err = errors.Join(err, runErr)
		}
	case <-time.After(o.Drain / 2):
		err = errors.Join(err, fmt.Errorf("steps in progress were not completed within %v", o.Drain))
	}
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	<-told // in this order
	log.Info("stopped")
	return nil
}

// maxIDs bounds what a session remembers to 2 MB, which are written with each of its steps.
const maxIDs = 10_000

// check checks the flags, and returns where the store is.
func (o *Options) check() (place store.Place, err error) {
	_, _, err = net.SplitHostPort(o.Listen)
	switch {
	case err != nil:
		return place, cli.Usagef("--listen %s: want an address and a port, such as 127.0.0.1:8420", o.Listen)
	case (o.Cert == "") != (o.Key == ""):
		return place, cli.Usagef("--tls-cert and --tls-key belong together")
	case !o.isLocal() && (o.Cert == "" || o.Tokens == ""):
		return place, cli.Usagef("--listen %s serves other machines: it needs --tls-cert, --tls-key and --tokens; an address of this machine only is 127.0.0.1:8420", o.Listen)
	case o.Drain < 0:
		return place, cli.Usagef("--drain %v is negative", o.Drain)
	case o.IDs < 0 || o.IDs > maxIDs:
		return place, cli.Usagef("--ids %d: want 1 to %d", o.IDs, maxIDs)
	case o.IDsFor < 0:
		return place, cli.Usagef("--ids-for %v is negative", o.IDsFor)
	}
	for _, bound := range []struct {
		flag string
		n    int
	}{{"max-sessions", o.Sessions}, {"cache", o.Cache}, {"cache-mb", o.CacheSize}, {"workers", o.Workers}} {
		if bound.n < 1 {
			return place, cli.Usagef("--%s %d: want 1 or more", bound.flag, bound.n)
		}
	}
	o.keep = map[string]time.Duration{}
	for _, text := range o.Keep {
		at := strings.LastIndexByte(text, '=')
		chart, keep := text[:max(at, 0)], text[at+1:]
		if _, twice := o.keep[chart]; twice {
			return place, cli.Usagef("--keep-finished %s: there is another time for the same", text)
		}
		d, err := cli.Duration(keep)
		if keep == "forever" {
			d, err = 0, nil
		} else if err == nil && d < time.Second {
			err = errors.New("want a second or more")
		} else if err == nil && d < o.IDsFor {
			err = fmt.Errorf("less than --ids-for %v: a session that is deleted remembers nothing", o.IDsFor)
		}
		if err != nil {
			return place, cli.Usagef("--keep-finished %s: %v", text, err)
		}
		o.keep[chart] = d
	}
	if o.Public != "" {
		u, err := url.Parse(strings.TrimRight(o.Public, "/"))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return place, cli.Usagef("--public-url %s: want a URL without user and query, such as https://example.com/orders", o.Public)
		}
		o.public = u
	}
	return store.Parse("--store", o.Store, o.Local)
}

// isLocal reports whether only this machine can reach the address of --listen.
func (o *Options) isLocal() bool {
	host, _, _ := net.SplitHostPort(o.Listen) // check says what is wrong
	return isLocal(host)
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// A listener is one of TCP, or of TLS over that. After SetDeadline, Accept fails, and the listener is open.
type listener struct {
	net.Listener
	tcp net.Listener
}

func (l *listener) SetDeadline(t time.Time) error { return l.tcp.(*net.TCPListener).SetDeadline(t) }

func (o *Options) listen() (*listener, error) {
	var cfg *tls.Config
	if o.Cert != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, cli.Usagef("--tls-cert %s, --tls-key %s: %v", o.Cert, o.Key, err)
		}
		cfg = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	}
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		cause, status := err, cli.Usage
		if errno := syscall.Errno(0); errors.As(err, &errno) {
			cause, status = errno, cli.Failed // another program may end, and an address may appear
		}
		return nil, &cli.Error{Status: status, Err: fmt.Errorf("cannot listen at %s: %w", o.Listen, cause)}
	}
	if cfg != nil {
		return &listener{tls.NewListener(l, cfg), l}, nil
	}
	return &listener{l, l}, nil
}

// tokens returns who may use the server, and the file that has the secrets.
func (o *Options) tokens(folder string) ([]rest.Token, string, error) {
	if o.Tokens != "" {
		tokens, err := readTokens(o.Tokens)
		return tokens, o.Tokens, err
	}
	token, name, err := ownToken(folder)
	return []rest.Token{token}, name, err
}

// baseURL returns the URL at which the server is reached from this machine.
func baseURL(l net.Listener, encrypted bool) string {
	scheme := "http"
	if encrypted {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(l.Addr().String()) // a TCP address
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// greeting says how the server is used. tokens is the file of the token, or of many.
func greeting(base, tokens string, many bool, charts []fleet.ChartInfo) string {
	header := "sed 's/^/Authorization: Bearer /' " + tokens // curl shows no secret in the list of processes
	if many {
		header = "echo \"Authorization: Bearer $TOKEN\""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ntoken: %s\n", base, tokens)
	chart := "CHART"
	for i, c := range charts {
		if i == 0 {
			chart = c.Name
		}
		fmt.Fprintf(&b, "chart: %s %.12s\n", c.Name, c.Hash)
	}
	fmt.Fprintf(&b, "create a session: %s | curl -H @- --json '{\"key\":\"first\",\"chart\":\"%s\"}' %s/v1/sessions\n", header, chart, base)
	return b.String()
}
