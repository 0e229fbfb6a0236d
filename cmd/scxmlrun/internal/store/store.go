// Package store opens the stores that a command line names: folders, and the databases of servers.
package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/jetstream"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/postgres"
)

// A Place is where a store is.
type Place struct {
	Kind string // bolt, or the scheme of a URL
	// Local is the folder of the store, or, if that is on a server, the one with what this machine
	// knows of it.
	Local string
	url   string
}

// A Mode is what a store is opened for.
type Mode int

// The modes.
const (
	Serve  Mode = iota // creates the store if it is missing
	Check              // reads it, while others may use it
	Source             // reads it, while nobody uses it
	Target             // writes it, while nobody else uses it, and creates it if it is missing
)

// A scheme is a kind of stores on servers.
type scheme struct {
	open func(ctx context.Context, url, local string, mode Mode) (fleet.Store, error)
	name func(url string) string // without secrets
	// alone says that the modes Source and Target keep others out. For other schemes, Copy watches
	// whether a server uses the store.
	alone bool
}

// schemes are the kinds of stores on servers, by the scheme of their URL.
var schemes = map[string]scheme{
	"nats":       {openNATS, jetstream.Name, false},
	"tls":        {openNATS, jetstream.Name, false},
	"postgres":   {openPostgres, postgres.Name, true},
	"postgresql": {openPostgres, postgres.Name, true},
}

const kinds = "want a folder, bolt:FOLDER, postgres://HOST/DATABASE, or nats://HOST/NAME"

// Parse reads the name of a store: a folder, bolt:FOLDER, or the URL of a server. Local is the folder
// for what this machine knows of a store on a server. What is written elsewhere, such as a flag, begins
// the message of an error, which is one of usage.
func Parse(where, text, local string) (Place, error) {
	scheme, rest, ok := strings.Cut(text, ":")
	_, known := schemes[scheme]
	switch {
	case !ok || len(scheme) == 1: // a drive of Windows
		scheme, rest = "bolt", text
	case known:
		return Place{scheme, local, text}, nil
	case scheme != "bolt":
		// What follows the scheme may have a password.
		return Place{}, cli.Usagef("%s %s:…: %q is not a kind of store: %s", where, scheme, scheme, kinds)
	}
	if rest = strings.TrimPrefix(rest, "//"); rest == "" {
		return Place{}, cli.Usagef("%s %s: %s", where, text, kinds)
	}
	return Place{"bolt", rest, ""}, nil
}

// String names the store. It has no secrets.
func (p Place) String() string {
	if scheme, ok := schemes[p.Kind]; ok {
		return scheme.name(p.url)
	}
	return p.Local
}

// quoted names the store in messages.
func (p Place) quoted() string {
	if p.Kind == "bolt" {
		return strconv.Quote(p.Local)
	}
	return "in " + p.String()
}

// Open opens the store. A copy that was interrupted is refused, but as a Target.
func (p Place) Open(ctx context.Context, mode Mode) (fleet.Store, error) {
	s, err := p.open(ctx, mode)
	if err != nil || mode == Target {
		return s, err
	}
	_, err = s.File(ctx, copyFile)
	if errors.Is(err, fleet.ErrNotFound) {
		return s, nil
	}
	if err == nil {
		err = fmt.Errorf("cannot open store %s: it is a copy that was interrupted; run \"scxmlrun store copy\" again to complete it", p.quoted())
	}
	return nil, errors.Join(err, s.Close())
}

func (p Place) open(ctx context.Context, mode Mode) (fleet.Store, error) {
	if scheme, ok := schemes[p.Kind]; ok {
		if mode == Serve {
			if err := os.MkdirAll(p.Local, 0o700); err != nil {
				return nil, err
			}
		}
		return scheme.open(ctx, p.url, p.Local, mode)
	}
	if mode != Serve && mode != Target {
		if _, err := os.Stat(filepath.Join(p.Local, bolt.DatabaseName)); err != nil {
			return nil, fmt.Errorf("cannot open store %q: %w", p.Local, err)
		}
	}
	return bolt.Open(p.Local)
}

func openPostgres(ctx context.Context, url, local string, mode Mode) (fleet.Store, error) {
	o := postgres.Options{ReadOnly: mode == Check || mode == Source, Exclusive: mode == Source || mode == Target}
	if mode != Target {
		o.Watermark = filepath.Join(local, "postgres.watermark")
	}
	return postgres.Open(ctx, url, o)
}

func openNATS(ctx context.Context, url, local string, mode Mode) (fleet.Store, error) {
	o := jetstream.Options{ReadOnly: mode == Check || mode == Source}
	if mode != Target {
		o.Watermark = filepath.Join(local, "nats.watermark")
	}
	return jetstream.Open(ctx, url, o)
}
