package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// A chart that its host does not trust counts, and then hangs. The child dies, the host hears why,
// and continues from the last snapshot.
func Example() {
	// isolate.Child() is the first line of main; here it is in TestMain.
	pool, err := isolate.NewPool(isolate.Config{Spare: 1, Deadline: 2 * time.Second, BestEffort: true})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	spec := isolate.Spec{Name: "theirs.scxml", SnapshotEvery: 1, Source: []byte(`
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <datamodel><data id="n"/></datamodel>
  <state id="s">
    <transition event="count"><assign location="n" expr="n + 1"/></transition>
    <transition event="hang"><script>var a = []; a[4294967294] = 1; a.reverse();</script></transition>
  </state>
</scxml>`)}
	ctx := context.Background()
	session, err := pool.New(ctx, spec, scxml.WithData("n", 41))
	if err != nil {
		log.Fatal(err)
	}
	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"count", "hang"} {
		effect, err := session.Do(ctx, time.Now(), scxml.Event{Name: name})
		var died *isolate.Error
		if errors.As(err, &died) {
			fmt.Println("the child has died:", died.Reason)
			continue
		}
		fmt.Println(name, effect.Handled, err)
	}
	snapshot, err := session.Saved()
	if err != nil {
		log.Fatal(err)
	}
	again, err := pool.Restore(ctx, spec, snapshot)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Get(ctx, "n"))
	// Output:
	// count true <nil>
	// the child has died: deadline
	// 42 <nil>
}
