package stack

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/threaddump"
)

// What a selector does without waiting is no wait of its caller.
func TestWakeUpsAreNoSelect(t *testing.T) {
	for name, want := range map[string]OpKind{
		"sun.nio.ch.EPoll wait":                  OpSelect,
		"sun.nio.ch.EPollArrayWrapper epollWait": OpSelect,
		"sun.nio.ch.EPollSelectorImpl doSelect":  OpSelect,
		"sun.nio.ch.KQueue poll":                 OpSelect,
		"sun.nio.ch.EPollSelectorImpl wakeup":    OpNone,
		"sun.nio.ch.EPoll ctl":                   OpNone,
		"sun.nio.ch.KQueueSelectorImpl wakeup":   OpNone,
		"sun.nio.ch.KQueue register":             OpNone,
	} {
		f := &threaddump.Frame{}
		f.Class, f.Method, _ = strings.Cut(name, " ")
		if got := opKindOf(f); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What a selector's or a socket's native methods do at once is no wait of the thread.
func TestNativeMethodsThatReturnAtOnce(t *testing.T) {
	for name, want := range map[string]WaitKind{
		"sun.nio.ch.EventFD set0":                  Running,
		"sun.nio.ch.EPollArrayWrapper interrupt":   Running,
		"sun.nio.ch.EPollArrayWrapper epollWait":   WaitSelect,
		"sun.nio.ch.EPoll ctl":                     Running,
		"sun.nio.ch.EPoll wait":                    WaitSelect,
		"sun.nio.ch.Net localPort":                 Running,
		"sun.nio.ch.Net accept":                    WaitSelect,
		"sun.nio.ch.Net poll":                      WaitIO,
		"sun.nio.ch.SocketDispatcher read0":        WaitIO,
		"sun.nio.ch.UnixFileDispatcherImpl force0": WaitIO,
		"java.net.SocketInputStream socketRead0":   WaitIO,
		"java.net.PlainSocketImpl socketAccept":    WaitSelect,
		"sun.nio.fs.UnixNativeDispatcher open0":    WaitIO,
		"sun.nio.ch.IOUtil configureBlocking":      Running,
		"sun.nio.ch.KQueue register":               Running,
		"sun.nio.ch.KQueue poll":                   WaitSelect,
	} {
		f := &threaddump.Frame{Native: true}
		f.Class, f.Method, _ = strings.Cut(name, " ")
		if got := nativeKind([]*threaddump.Frame{f}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// A stream that compresses, copies or converts uses the CPU: it is no wait for a file or a peer.
func TestStreamsInMemoryAreNoIO(t *testing.T) {
	const gzip = " java.util.zip.GZIPOutputStream.write java.io.FilterOutputStream.write"
	for frames, want := range map[string]OpKind{
		"!java.util.zip.Deflater.deflateBytesBytes java.util.zip.DeflaterOutputStream.write" + gzip:      OpNone,
		"java.util.zip.Deflater.deflate java.util.zip.DeflaterOutputStream.write" + gzip:                 OpNone,
		"!java.util.zip.CRC32.updateBytes0 java.util.zip.CRC32.update" + gzip:                            OpNone,
		"!java.lang.System.arraycopy java.io.BufferedOutputStream.write":                                 OpNone,
		"!java.lang.Throwable.fillInStackTrace java.io.ObjectInputStream.readObject":                     OpNone,
		"java.util.Arrays.copyOf java.io.ByteArrayOutputStream.write java.io.DataOutputStream.writeInt":  OpNone,
		"java.lang.StringCoding.encode sun.nio.cs.StreamEncoder.write java.io.OutputStreamWriter.write":  OpNone,
		"!java.io.FileOutputStream.writeBytes java.io.FileOutputStream.write" + gzip:                     OpWrite,
		"!java.net.SocketOutputStream.socketWrite0 java.io.ByteArrayOutputStream.writeTo":                OpWrite,
		"!jdk.internal.misc.Unsafe.park sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.implRead": OpRead,
		"java.lang.VirtualThread.park sun.nio.ch.NioSocketImpl.park sun.nio.ch.NioSocketImpl.implRead":   OpRead,
		"!sun.tools.attach.LinuxVirtualMachine.read java.io.InputStreamReader.read":                      OpRead,
		"!java.lang.Object.wait java.io.PipedInputStream.read java.io.BufferedInputStream.read":          OpRead,
	} {
		var call []*threaddump.Frame
		for name := range strings.FieldsSeq(frames + " app.Export.run") {
			f := &threaddump.Frame{}
			name, f.Native = strings.CutPrefix(name, "!")
			at := strings.LastIndexByte(name, '.')
			f.Class, f.Method = name[:at], name[at+1:]
			call = append(call, f)
		}
		if got := NewStack(call, 0).Op.Kind; got != want {
			t.Errorf("%s: %v, want %v", frames, got, want)
		}
	}
}
