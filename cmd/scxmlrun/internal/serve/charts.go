package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// maxVersions is how many versions of charts a store can have when another one is uploaded.
const maxVersions = 1000

// charts are the charts of a server: those of the command line, and those in the store.
type charts struct {
	options *Options
	limits  scxml.Limits
	log     *slog.Logger
	given   []*version // of the command line, with their definitions
	defs    []fleet.Definition

	mu       sync.Mutex // one upload at a time
	store    fleet.Store
	fleet    *fleet.Fleet
	known    map[string]fleet.Definition // by NAME/HASH: the versions in the store; nil for one that cannot be used
	looked   time.Time                   // when learn looked at the store
	pool     *isolate.Pool               // nil until a chart needs it
	pictures pictures
}

// read reads and compiles the charts of the command line.
func (c *charts) read(ctx context.Context) error {
	for _, arg := range c.options.Charts {
		names := []string{arg}
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			folder, err := file.OpenFolder(arg)
			if err != nil {
				return cli.Usagef("cannot open the folder %q: %v", arg, cli.Plain(err))
			}
			defer folder.Close()
			names = load.ChartsIn(folder)
			for i, name := range names {
				names[i] = filepath.Join(arg, name)
				if _, err := fs.Stat(folder, name); err != nil {
					return cli.Usagef("cannot read %q: %v", names[i], cli.Plain(err))
				}
			}
			if len(names) == 0 {
				return cli.Usagef("there is no .scxml file in the folder %q", arg)
			}
		}
		for _, name := range names {
			if err := c.readFile(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *charts) readFile(ctx context.Context, name string) error {
	if name == load.Stdin {
		return cli.Usagef("standard input has no name, and the name of a chart is that of its file")
	}
	source, folder, err := load.Read(name, c.limits)
	if err != nil {
		return err
	}
	v := &version{
		Chart: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Document: filepath.ToSlash(name), Source: source, folder: folder,
	}
	if err := rest.CheckChartName(v.Chart); err != nil {
		return cli.Usagef("%q: %v", name, err)
	}
	if i := slices.IndexFunc(c.given, func(g *version) bool { return g.Chart == v.Chart }); i >= 0 {
		return cli.Usagef("%q and %q have the same name %q", c.given[i].Document, name, v.Chart)
	}
	def, err := c.compile(ctx, v)
	if refused := new(scxml.DocumentError); errors.As(err, &refused) {
		return load.Refuse(name, source, refused.Diagnostics)
	}
	if err != nil {
		return err
	}
	c.given, c.defs = append(c.given, v), append(c.defs, def)
	return nil
}

// define gives the fleet all versions of all charts. Those of the command line are stored, so that
// their sessions can continue when the files have changed.
func (c *charts) define(ctx context.Context, store fleet.Store, f *fleet.Fleet) error {
	c.store, c.fleet, c.known = store, f, make(map[string]fleet.Definition)
	latest, err := c.look(ctx)
	if err != nil {
		return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot read the charts in the store: %w", err)}
	}
	for i, v := range c.given {
		var err error
		if id := v.Chart + "/" + v.Hash; c.known[id] == nil { // the one in the store may have read more files
			err = v.store(ctx, store)
			c.known[id] = c.defs[i]
		}
		if err == nil && latest[v.Chart] != v.Hash {
			err = c.putLatest(ctx, v)
		}
		if err != nil {
			return &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot store the chart %q: %w", v.Chart, err)}
		}
		latest[v.Chart] = v.Hash
	}
	for name, hash := range latest {
		def := c.known[name+"/"+hash]
		if def == nil { // its version cannot be used
			continue
		}
		if err := f.Define(def); err != nil {
			return &cli.Error{Status: cli.Failed, Err: err}
		}
	}
	return nil
}

// look gives the fleet the versions in the store that are not known, and returns the hash of the latest
// one of each chart.
func (c *charts) look(ctx context.Context) (latest map[string]string, err error) {
	names, err := c.store.Files(ctx, versionFiles)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, ok := c.known[strings.TrimPrefix(name, versionFiles)]; ok {
			continue
		}
		v, err := storedVersion(ctx, c.store, name)
		if err != nil {
			return nil, err
		}
		c.keep(ctx, v)
	}
	return latestVersions(ctx, c.store)
}

// keep gives the fleet a version that is in the store.
func (c *charts) keep(ctx context.Context, v *version) {
	if g := c.givenAs(v.Chart); g != nil {
		v.folder = g.folder
	}
	def, err := c.compile(ctx, v)
	if err == nil {
		err = c.fleet.Keep(def)
	}
	if err != nil { // its sessions wait for a program that can run it
		c.log.Error("cannot use a version of a chart in the store", "chart", v.Chart, "hash", v.Hash, "error", err)
		def = nil
	}
	c.known[v.Chart+"/"+v.Hash] = def
}

// learn looks for charts that other hosts have added to the store. Anyone may ask for a chart that
// nobody has: it looks ten times a second at most.
func (c *charts) learn(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || time.Since(c.looked) < time.Second/10 {
		return nil
	}
	latest, err := c.look(ctx)
	if err != nil {
		return err
	}
	for _, info := range c.fleet.Charts() {
		if latest[info.Name] == info.Hash {
			delete(latest, info.Name)
		}
	}
	for name, hash := range latest {
		if def := c.known[name+"/"+hash]; def != nil && c.givenAs(name) == nil {
			c.log.Info("chart learned from another host", "chart", name, "hash", hash)
			if err := c.fleet.Define(def); err != nil {
				return err
			}
		}
	}
	c.looked = time.Now()
	return nil
}

// follow learns until ctx is done, so that new sessions run what was uploaded to another host.
func (c *charts) follow(ctx context.Context) {
	ticker := time.NewTicker(5 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := c.learn(ctx); err != nil && ctx.Err() == nil {
				c.log.Warn("cannot look for charts of other hosts", "error", err)
			}
		}
	}
}

// putLatest notes in the store that new sessions of a chart run a version.
func (c *charts) putLatest(ctx context.Context, v *version) error {
	return c.store.PutFile(ctx, path.Join(latestFiles, v.Chart), []byte(v.Hash))
}

// givenAs returns the chart of this name on the command line, or nil.
func (c *charts) givenAs(name string) *version {
	if i := slices.IndexFunc(c.given, func(v *version) bool { return v.Chart == name }); i >= 0 {
		return c.given[i]
	}
	return nil
}

// compile returns the definition of a version. The error is an [*scxml.DocumentError] if the document
// is refused.
func (c *charts) compile(ctx context.Context, v *version) (fleet.Definition, error) {
	if v.Uploaded || c.options.Isolate != wall.None {
		return enclose(ctx, c, v)
	}
	chart, err := scxml.Parse(v.Document, v.Source, scxml.WithLoader(v), scxml.WithLimits(c.limits))
	if err != nil {
		return nil, err
	}
	if v.keep == nil {
		load.Print(v.Document, v.Source, chart.Warnings())
		chart.OwnEvents() // reads the charts that it invokes
		v.identify(chart.Hash())
	}
	return fleet.DefineVersion(v.Chart, v.Hash, chart, scxml.WithMissing(), scxml.WithLogger(c.logger(v.Chart))), nil
}

// open makes the pool of children unless it is there.
func (c *charts) open() (err error) {
	if c.pool == nil {
		mode := c.options.Isolate
		if mode == wall.None {
			mode = wall.Full
		}
		c.pool, err = wall.Pool(mode, wall.Deadline(c.wallLimits()), 0)
	}
	return err
}

// wallLimits are the limits of a chart behind the wall: without --limit, those for untrusted charts.
func (c *charts) wallLimits() scxml.Limits {
	limits, _ := load.Limits(true, c.options.Limits) // Run has checked them
	return limits
}

// upload implements [rest.Config].Upload.
func (c *charts) upload(ctx context.Context, name string, document []byte, try bool) (u rest.Uploaded, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.givenAs(name) != nil {
		return u, fmt.Errorf("cannot upload chart %q: %w", name, rest.ErrFixed)
	}
	v := &version{Chart: name, Document: name + ".scxml", Uploaded: true, Source: document}
	def, err := enclose(ctx, c, v)
	if err != nil {
		return u, err
	}
	u = rest.Uploaded{Hash: def.Hash(), New: true, Warnings: def.chart.Warnings}
	for _, known := range c.fleet.Charts() {
		if known.Name == name && slices.Contains(known.Hashes, u.Hash) {
			u.New = false
		}
	}
	if try {
		return u, nil
	}
	if u.New {
		if len(c.known) >= maxVersions {
			return u, fmt.Errorf("cannot upload chart %q: the store has %d versions of charts, which is the limit", name, len(c.known))
		}
		if err := v.store(ctx, c.store); err != nil {
			return u, err
		}
		c.known[name+"/"+u.Hash] = def
	}
	if err := c.putLatest(ctx, v); err != nil {
		return u, err
	}
	c.log.Info("chart uploaded", "chart", name, "hash", u.Hash, "new", u.New)
	return u, c.fleet.Define(def)
}

// remove implements [rest.Config].Remove.
func (c *charts) remove(ctx context.Context, name, hash string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.fleet.Undefine(ctx, name, hash); err != nil {
		return err
	}
	if err := c.store.PutFile(ctx, path.Join(versionFiles, name, hash), nil); err != nil {
		return err // the next start defines it again
	}
	delete(c.known, name+"/"+hash)
	c.log.Info("version of a chart removed", "chart", name, "hash", hash)
	return nil
}

func (c *charts) close() {
	if c.pool != nil {
		c.pool.Close()
	}
	for _, v := range c.given {
		if folder, ok := v.folder.(interface{ Close() error }); ok {
			folder.Close()
		}
	}
}
