package suite

import (
	"context"
	"fmt"
	"strings"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// maxItem is how long a data item may be that a scenario compares, as JSON.
const maxItem = 2000

// Fill runs a scenario, and makes what happens what it expects: the trace, and the data at the end. It
// leaves out data that JSON does not have, and long data. The options are for the session.
func Fill(ctx context.Context, s *scxmltest.Scenario, chart *scxml.Chart, opts ...scxml.Option) error {
	s.Trace, s.Check = nil, ""
	got, err := s.Run(ctx, chart, opts...)
	if err != nil {
		return fmt.Errorf("suite: %w", err)
	}
	var check strings.Builder
	for _, id := range chart.Data() {
		v, err := got.Session.Eval(ctx, id)
		if err != nil {
			continue
		}
		text := datamodel.AppendJSON(nil, v)
		back, err := datamodel.ParseJSON(text)
		if err == nil && datamodel.Equal(v, back) && len(text) <= maxItem {
			fmt.Fprintf(&check, "data %s %s\n", id, text)
		}
	}
	s.Trace, s.Check = []byte(got.Trace), check.String()
	return nil
}
