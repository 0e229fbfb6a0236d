package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/store"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

const storeHelp = `Store looks after the place where "scxmlrun serve" keeps its sessions: the folder
./scxmlrun-data, or what --store says. The server must not be running if that is a
folder; "scxmlrun sessions backup" copies the store of one that is.`

const storeStatus = `

Exit status:
  0    the store is in order
  1    it could not be read, or another process uses it
  2    wrong usage
  3    something is damaged, or acknowledged events are lost`

const storeCheckHelp = `Check reads all that a store has: the pages of its database, their order, the
checksum of each record, log entry and file, and the watermark, which tells whether
the database is older than it was. It changes nothing.

STORE is a folder, the FILE of a backup, or the URL of a store on a server, which may
be in use: of that, each record, log entry and file is read, and its checksum
compared.` + storeStatus

const storeBackupHelp = `Backup checks a store and copies its database to FILE, completely or not at all. The
copy has no free pages; it is made in DIR first, which needs room for it.

To restore it, copy FILE to sessions.db in an empty folder, and start the server
there. What was accepted after the backup is lost: a watermark from then, in the
same folder, makes the server refuse to start until it is deleted.` + storeStatus

const storeCompactHelp = `Compact makes the database of a store smaller. What is deleted leaves free pages, which
are used again, but never given back: compact copies the rest to a new file, checks
it, and puts it in the place of the old one. That needs room for both.

No server may run on the store, and none starts while it is compacted. Whatever ends
compact, the old database is there or the new one, whole.

STORE is a folder. Stores on a server are made smaller by that server.` + storeStatus

const storeCopyHelp = `Copy copies all sessions with their logs, and the charts, from one STORE to another,
of any kind. A STORE is a folder, or the URL of a store on a server. At the end it
reads both and compares them.

No server may run on either. For a folder or PostgreSQL, copy keeps servers out while
it works; for another store it fails at the end if a server was there.

The target must be empty. When a copy is interrupted, the same command continues it;
until it is complete, no server starts on the target. The copies of the sessions
continue as the originals would: do not start servers on both.

The tokens of a server are not part of its store.` + storeStatus

// newStoreCommand returns the command that looks after stores.
func newStoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Check, back up, compact and copy the sessions of a server",
		Long:  storeHelp,
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("what? Write, for example: scxmlrun store check ./scxmlrun-data; run %q for more", "scxmlrun store --help")
			}
			return cli.Usagef("store: unknown command %q%s", args[0], cli.DidYouMean(args[0], cli.CommandNames(cmd)))
		},
	}
	var asJSON bool
	var local string
	check := &cobra.Command{
		Use:     "check STORE",
		Short:   "Tell whether a store is in order",
		Long:    storeCheckHelp,
		Example: "  scxmlrun store check ./scxmlrun-data\n  scxmlrun store check --json monday.backup\n  scxmlrun store check postgres://fleet@db.example.com/orders",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("which store? Write, for example: scxmlrun store check ./scxmlrun-data")
			}
			place, err := store.Parse("store check", args[0], local)
			if err != nil {
				return err
			}
			if place.Kind != "bolt" {
				return checkServer(cmd, place, asJSON)
			}
			report, err := bolt.Check(place.Local)
			if err != nil {
				return storeError(err)
			}
			return printReport(cmd.OutOrStdout(), place.Local, report, asJSON)
		},
	}
	check.Flags().BoolVar(&asJSON, "json", false, "write one JSON object")
	check.Flags().StringVar(&local, "data", "scxmlrun-data", "the folder `DIR` with the watermark of this machine, for a store on a server")
	backup := &cobra.Command{
		Use:     "backup DIR FILE",
		Short:   "Copy a store to a file",
		Long:    storeBackupHelp,
		Example: "  scxmlrun store backup ./scxmlrun-data monday.backup",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usagef("from where, and where to? Write, for example: scxmlrun store backup ./scxmlrun-data monday.backup")
			}
			report, err := writeBackup(args[1], func(w io.Writer) error {
				_, err := bolt.Backup(args[0], w)
				return err
			})
			if err != nil {
				return err
			}
			return printReport(cmd.OutOrStdout(), args[1], report, false)
		},
	}
	copying := &cobra.Command{
		Use:   "copy STORE STORE",
		Short: "Copy a store to another kind of store",
		Long:  storeCopyHelp,
		Example: "  scxmlrun store copy ./scxmlrun-data postgres://fleet@db.example.com/orders\n" +
			"  scxmlrun store copy postgres://fleet@db.example.com/orders ./scxmlrun-data",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usagef("from where, and where to? Write, for example: scxmlrun store copy ./scxmlrun-data postgres://HOST/DATABASE")
			}
			return copyStore(cmd, args[0], args[1], local)
		},
	}
	copying.Flags().StringVar(&local, "data", "scxmlrun-data", "the folder `DIR` with the watermark of this machine, for a source on a server")
	compact := &cobra.Command{
		Use:     "compact STORE",
		Short:   "Make the database of a store smaller",
		Long:    storeCompactHelp,
		Example: "  scxmlrun store compact ./scxmlrun-data",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("which store? Write, for example: scxmlrun store compact ./scxmlrun-data")
			}
			place, err := store.Parse("store compact", args[0], local)
			if err != nil {
				return err
			}
			if place.Kind != "bolt" {
				return cli.Usagef("store compact: want the folder of a store: one on a server is made smaller by that server")
			}
			before, after, err := bolt.Compact(place.Local)
			if err != nil {
				return storeError(err)
			}
			return cli.Printed(fmt.Fprintf(cmd.OutOrStdout(), "%s: %d → %d bytes\n", cli.Visible(place.Local, cli.EscapeNewlines), before, after))
		},
	}
	cmd.AddCommand(check, backup, compact, copying)
	return cmd
}

// checkServer checks a store on a server.
func checkServer(cmd *cobra.Command, place store.Place, asJSON bool) error {
	opened, err := place.Open(cmd.Context(), store.Check)
	if err != nil {
		return storeError(err)
	}
	report, err := store.Read(cmd.Context(), opened)
	if err = errors.Join(err, opened.Close()); err != nil {
		return storeError(fmt.Errorf("cannot check store in %s: %w", place, err))
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), report)
	}
	return printRows(cmd.OutOrStdout(), place.String(), rows(report))
}

// copyStore copies a store.
func copyStore(cmd *cobra.Command, from, to, local string) error {
	source, err := store.Parse("store copy", from, local)
	if err != nil {
		return err
	}
	target, err := store.Parse("store copy", to, local)
	if err != nil {
		return err
	}
	line := cli.NewProgress()
	report, err := store.Copy(cmd.Context(), source, target, func(doing string, n int) {
		if line.Due() {
			line.Write(fmt.Sprintf("%d sessions %s", n, doing))
		}
	})
	line.Clear()
	if err != nil {
		return storeError(err)
	}
	return printRows(cmd.OutOrStdout(), target.String(), rows(report))
}

// A row of a report.
type row struct {
	name  string
	value any
}

func rows(r store.Report) []row {
	return []row{
		{"sessions", r.Sessions}, {"with something to do", r.Pending}, {"events accepted", r.Accepted}, {"log entries", r.LogEntries},
		{"files", r.Files}, {"bytes", r.Bytes},
	}
}

// writeBackup writes a file by a function that copies a store, and checks it.
func writeBackup(name string, write func(io.Writer) error) (bolt.Report, error) {
	file, err := durable.Replace(name, 0o600)
	if err != nil {
		return bolt.Report{}, &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write %q: %w", name, cli.Plain(err))}
	}
	if err := write(file); err != nil {
		file.Discard()
		return bolt.Report{}, storeError(err)
	}
	if err := file.Commit(); err != nil {
		return bolt.Report{}, &cli.Error{Status: cli.Failed, Err: fmt.Errorf("cannot write %q: %w", name, cli.Plain(err))}
	}
	report, err := bolt.Check(name)
	if err != nil {
		return report, storeError(err)
	}
	return report, nil
}

// storeError returns an error with its exit status.
func storeError(err error) error {
	if errors.Is(err, fleet.ErrCorrupt) || errors.Is(err, fleet.ErrLost) {
		return &cli.Error{Status: cli.Refused, Err: err}
	}
	return &cli.Error{Status: cli.Failed, Err: err}
}

func printReport(w io.Writer, name string, r bolt.Report, asJSON bool) error {
	if asJSON {
		return printJSON(w, r)
	}
	return printRows(w, name, []row{
		{"sessions", r.Sessions}, {"with something to do", r.Pending}, {"events accepted", r.Accepted}, {"log entries", r.LogEntries},
		{"files", r.Files}, {"changes so far", r.Revision}, {"bytes", r.Size}, {"of which free", r.Free},
	})
}

func printJSON(w io.Writer, report any) error {
	line, err := json.Marshal(report)
	if err != nil {
		return err
	}
	return cli.Printed(fmt.Fprintf(w, "%s\n", line))
}

func printRows(w io.Writer, name string, rows []row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is in order\n", cli.Visible(name, cli.EscapeNewlines))
	for _, row := range rows {
		fmt.Fprintf(&b, "  %-21s %d\n", row.name, row.value)
	}
	return cli.Printed(io.WriteString(w, b.String()))
}
