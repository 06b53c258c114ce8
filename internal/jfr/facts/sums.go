package facts

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/order"
)

// sums add up the events of a recording.
type sums struct {
	r       flight.Recording
	dumps   int
	origins map[string]origin
	// room is how many more threads, places and things are counted separately.
	room int

	monitors, locks, replies, files map[thing]*waits
	pinned                          *waits
	pauses, synchronizations, begun *stops
	heap                            heap
	own, all, threads               gauge
	methods                         map[flight.Place]*series
	samples                         int64
	thrown                          thrown
	quota                           quota
}

func newSums() *sums {
	return &sums{
		r: flight.Recording{Settings: map[string]flight.Setting{}}, origins: map[string]origin{}, room: maxThings,
		monitors: map[thing]*waits{}, locks: map[thing]*waits{}, replies: map[thing]*waits{}, files: map[thing]*waits{},
		pinned: newWaits(), pauses: newStops(), synchronizations: newStops(), begun: newStops(), heap: newHeap(),
		methods: map[flight.Place]*series{}, thrown: newThrown(),
		quota: quota{share: newSeries()},
	}
}

// take reports whether there is room for one more.
func (s *sums) take() bool {
	if s.room == 0 {
		return false
	}
	s.room--
	return true
}

// within cuts a time to that of the recording.
func (s *sums) within(at flight.Moment, took time.Duration) (from, to flight.Moment) {
	to = min(at.Add(min(took, maxTime-time.Duration(at))), s.r.End)
	return min(max(at, s.r.Begin), to), to
}

func (s *sums) endChunk() { s.heap.settle() }

// recording is what the events read so far add up to.
func (s *sums) recording() *flight.Recording {
	r := s.r
	r.Dumps = s.dumps
	r.Monitors, r.Locks = waitsOf(s.monitors), waitsOf(s.locks)
	r.Replies, r.Files = waitsOf(s.replies), waitsOf(s.files)
	r.Pinned = s.pinned.made()
	r.Pauses, r.Safepoints = s.pauses.made(), s.synchronizations.made()
	if r.Safepoints.Count == 0 { // what the JVM records by default: it ends when all threads have come
		r.Safepoints = s.begun.made()
	}
	r.Kept = s.heap.kept(r.HeapMax)
	r.OwnCPU, r.AllCPU, r.Threads = s.own.made(), s.all.made(), s.threads.made()
	r.Samples = s.samples
	for place, samples := range s.methods {
		r.Methods = append(r.Methods, flight.Method{Place: place, Samples: samples.made()})
	}
	sums := map[flight.Place]float64{}
	for _, m := range r.Methods {
		for _, p := range m.Samples.Parts {
			sums[m.Place] += p.Sum
		}
	}
	order.Sort(r.Methods, func(a, b flight.Method) int {
		return cmp.Or(cmp.Compare(sums[b.Place], sums[a.Place]), comparePlaces(a.Place, b.Place))
	})
	r.Methods = r.Methods[:min(len(r.Methods), mostMethods)]
	r.Throttled = s.quota.share.made()
	r.Thrown = s.thrown.perSecond.made()
	r.Throws, r.Memory = s.thrown.made()
	return &r
}

// setting takes in how an event is recorded. Each chunk repeats it.
func (s *sums) setting(e *event) {
	of := e.chunk.Types[jfr.TypeID(e.number("id"))]
	if of == nil || !strings.HasPrefix(of.Name, "jdk.") {
		return
	}
	name := strings.TrimPrefix(of.Name, "jdk.")
	set, value := s.r.Settings[name], e.text("value")
	const longest = 40
	if len(value) > longest {
		return
	}
	switch e.text("name") {
	case "enabled":
		set.Enabled = set.Enabled || value == "true"
	case "threshold":
		set.Threshold = value
	case "period":
		set.Period = value
	}
	s.r.Settings[name] = set
}

func (s *sums) jvm(e *event) {
	j := &s.r.JVM
	j.Name, j.Version = e.short(e.text("jvmName")), versionIn(e.text("jvmVersion"))
	j.Main, _, _ = strings.Cut(e.short(e.text("javaArguments")), " ")
	j.PID = int(max(0, min(int64(e.number("pid")), 1<<31)))
	const inMilli = uint64(time.Millisecond)
	j.Started = flight.Moment(min(e.number("jvmStartTime"), maxTime/inMilli) * inMilli)
}

// versionIn is the version in "OpenJDK 64-Bit Server VM (17.0.15+6) for linux-amd64 JRE (17.0.15+6), built on …".
func versionIn(text string) string {
	_, after, _ := strings.Cut(text, "(")
	version, _, ok := strings.Cut(after, ")")
	if !ok || version == "" || !strings.ContainsAny(version[:1], "0123456789") {
		return ""
	}
	return version
}

func (s *sums) cpus(e *event) {
	const most = 1 << 16
	if n := e.number("hwThreads"); n <= most {
		s.r.JVM.CPUs = int(n)
	}
}

func (s *sums) threadCount(e *event) {
	s.threads.add(e.at("startTime"), float64(int64(e.number("activeCount"))))
}

// load takes in the shares of all CPUs. Both are of the same moment.
func (s *sums) load(e *event) {
	at := e.at("startTime")
	s.own.add(at, e.float("jvmUser")+e.float("jvmSystem"))
	s.all.add(at, e.float("machineTotal"))
}

// withPort is "db:5432".
func withPort(host string, port uint64) string {
	return host + ":" + strconv.FormatUint(port&0xffff, 10)
}

// quota follows the periods of the CPU quota of a container, and those that were cut short. Both are sums since the
// start of the container.
type quota struct {
	elapsed, throttled uint64
	at                 flight.Moment
	share              *series
}

// begin takes in when a chunk was, and whose it is.
func (s *sums) begin(c *jfr.Chunk) {
	begin := flight.Moment(min(c.Start, maxTime))
	end := flight.Moment(min(uint64(begin)+min(c.Duration, maxTime), maxTime))
	if s.r.Begin == 0 {
		s.r.Begin = begin
	}
	s.r.End = max(s.r.End, end)
	if c.Zone > -maxZone && c.Zone < maxZone {
		s.r.Zone = int(c.Zone / time.Second.Milliseconds())
	}
	for _, t := range c.Types {
		if t.Name == asyncLog {
			s.r.Writer = "async-profiler"
		}
	}
}

// asyncLog is an event that async-profiler alone has.
const asyncLog = "profiler.Log"
