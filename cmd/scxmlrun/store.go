package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/durable"
	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

const storeHelp = `Store looks after the folder in which "scxmlrun serve" keeps its sessions,
./scxmlrun-data if nothing else was said. The server must not be running; "scxmlrun
sessions backup" copies the store of one that is.`

const storeStatus = `

Exit status:
  0    the store is in order
  1    it could not be read, or another process uses it
  2    wrong usage
  3    something is damaged, or acknowledged events are lost`

const storeCheckHelp = `Check reads all that a store has: the pages of its database, their order, the
checksum of each record, log entry and file, and the watermark, which tells whether
the database is older than it was. It changes nothing.

DIR may also be the FILE of a backup.` + storeStatus

const storeBackupHelp = `Backup checks a store and copies its database to FILE, completely or not at all.

To restore it, copy FILE to sessions.db in an empty folder, and start the server
there. What was accepted after the backup is lost: a watermark from then, in the
same folder, makes the server refuse to start until it is deleted.` + storeStatus

// newStoreCommand returns the command that looks after stores.
func newStoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Check and back up the sessions of a server",
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
	check := &cobra.Command{
		Use:     "check DIR",
		Short:   "Tell whether a store is in order",
		Long:    storeCheckHelp,
		Example: "  scxmlrun store check ./scxmlrun-data\n  scxmlrun store check --json monday.backup",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("which store? Write, for example: scxmlrun store check ./scxmlrun-data")
			}
			report, err := bolt.Check(args[0])
			if err != nil {
				return storeError(err)
			}
			return printReport(cmd.OutOrStdout(), args[0], report, asJSON)
		},
	}
	check.Flags().BoolVar(&asJSON, "json", false, "write one JSON object")
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
	cmd.AddCommand(check, backup)
	return cmd
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
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return cli.Printed(fmt.Fprintf(w, "%s\n", line))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s is in order\n", cli.Visible(name, cli.EscapeNewlines))
	for _, row := range []struct {
		name  string
		value any
	}{
		{"sessions", r.Sessions}, {"with something to do", r.Pending}, {"events accepted", r.Accepted}, {"log entries", r.LogEntries},
		{"files", r.Files}, {"changes so far", r.Revision}, {"bytes", r.Size}, {"of which free", r.Free},
	} {
		fmt.Fprintf(&b, "  %-21s %d\n", row.name, row.value)
	}
	return cli.Printed(io.WriteString(w, b.String()))
}
