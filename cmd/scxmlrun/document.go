package main

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/document"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const docHelp = `Doc writes a page about a chart: a picture, the events that it takes and sends
with their data, its states, data and services, its limits, and what check says
about it. The comments of the document explain them: those directly before an
element, and those after it on its line.

A page is one file without scripts, which loads nothing. A page in Markdown has
a tree in place of the picture; with --picture FILE the picture is in a file of
its own, as SVG, and the page shows it.

Doc reads the chart and does not run it. The same chart gives the same page.

Exit status:
  0    the page was written
  1    the page could not be written
  2    wrong usage
  3    the document was refused (diagnostics on standard error)`

const docExample = `  scxmlrun doc lamp.scxml -o lamp.html
  scxmlrun doc lamp.scxml -o lamp.md --picture lamp.svg`

// newDocCommand returns the command that documents charts.
func newDocCommand() *cobra.Command {
	var out, picture string
	format := cli.Choice{All: []string{"html", "markdown"}}
	cmd := &cobra.Command{
		Use:     "doc FILE",
		Short:   "Write a page about a chart",
		Long:    docHelp,
		Example: docExample,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format.Value == "" {
				switch ext := filepath.Ext(out); ext {
				case ".md", ".markdown":
					format.Value = "markdown"
				case "", ".html", ".htm":
				default:
					return cli.Usagef("cannot write %q: a page is HTML (.html) or Markdown (.md); use --format html or --format markdown for another ending", out)
				}
			}
			if picture != "" && format.Value != "markdown" {
				return cli.Usagef("--picture is for pages in Markdown: a page in HTML has the picture in it")
			}
			return writeDoc(args[0], out, picture, format.Value == "markdown")
		},
		ValidArgsFunction: completeChart,
	}
	format.Flag(cmd, "format", "html or markdown; unless given, the ending of the output tells")
	cmd.Flags().StringVarP(&out, "out", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().StringVar(&picture, "picture", "", "write the picture to `FILE`, for a page in Markdown")
	return cmd
}

func writeDoc(name, out, picture string, markdown bool) error {
	if err := cmp.Or(cli.CheckOut("-o", out, name), cli.CheckOut("--picture", picture, name, out)); err != nil {
		return err
	}
	source, folder, err := load.Read(name, scxml.Limits{})
	if err != nil {
		return err
	}
	chart, err := load.Compile(name, source, folder, scxml.Limits{})
	if err != nil {
		return err
	}
	page := document.New(chart, folder)
	write := page.WriteHTML
	if markdown {
		shown := filepath.ToSlash(picture)
		if rel, err := filepath.Rel(filepath.Dir(out), picture); err == nil && picture != "" {
			shown = filepath.ToSlash(rel)
		}
		write = func(w io.Writer) error { return page.WriteMarkdown(w, shown) }
	}
	if picture != "" {
		if err := writePage(picture, page.WritePicture); err != nil {
			return err
		}
	}
	return writePage(out, write)
}

// writePage writes what write writes to a file, or to standard output.
func writePage(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return &cli.Error{Status: cli.Failed, Err: err}
	}
	return writeOut(name, []byte(cli.Escape(b.String(), cli.InXML)))
}
