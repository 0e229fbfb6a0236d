// Command recording makes a recording of a workflow that is a session, from its history:
//
//	temporal workflow show --workflow-id order-1 --output json > history.json
//	recording -types payment,mail order.scxml history.json > order.rec
//	scxmlrun replay order.rec
//
// It is for charts without functions of their host; others call [temporal.Record] in their program.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/short"
	"github.com/scxmlrun/scxmlrun/scxml/temporal"
)

func main() {
	types := flag.String("types", "", "the types of <invoke> and <send> that are activities, with commas between them")
	children := flag.String("children", "", "the types of <invoke> that are child workflows")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: recording [flags] CHART HISTORY > RECORDING")
		flag.PrintDefaults()
	}
	if flag.Parse(); flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), list(*types), list(*children), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", short.Bytes(err.Error(), 1000)) // the SDK may print the whole workflow task
		os.Exit(1)
	}
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

func run(chartFile, historyFile string, types, children []string, w io.Writer) error {
	chart, err := scxml.Load(os.DirFS(filepath.Dir(chartFile)), filepath.Base(chartFile))
	if err != nil {
		return err
	}
	f, err := os.Open(historyFile)
	if err != nil {
		return err
	}
	defer f.Close()
	h, err := client.HistoryFromJSON(f, client.HistoryJSONOptions{})
	if err != nil {
		return fmt.Errorf("%s: %w", historyFile, err)
	}
	if len(h.Events) == 0 || h.Events[0].EventType != enums.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED {
		return fmt.Errorf("%s: not the history of a workflow", historyFile)
	}
	name := h.Events[0].GetWorkflowExecutionStartedEventAttributes().GetWorkflowType().GetName()
	o := temporal.Options{Children: children, Activities: map[string]temporal.Activity{}}
	for _, typ := range types {
		o.Activities[typ] = nil
	}
	return temporal.Record(h, name, chart, o, w)
}
