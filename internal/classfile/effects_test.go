package classfile

import (
	"strings"
	"testing"
)

// A method without branches leaves as much on the stack as it returns, and never takes what is not
// there, whatever it computes.
func TestEachInstructionTakesAndPutsWhatItSays(t *testing.T) {
	const all = `
class Shop {
	static int i; static long l; static float f; static double d; static Object o; int own; long ownLong;
	static int ints(int a, int b, int[] n) { int c = a + b * a / b - a % b; c = -c << a >> b >>> 2 & a | b ^ c; n[0] = n[1]; n[a] += c++; return n.length + c + 300 + 70000; }
	static long longs(long a, long b, long[] n) { long c = a + b * a / b - a % b; c = -c << 3 >> b >>> 2 & a | b ^ c; n[0] = n[1]; n[2] += c; return c + 1L + 99L; }
	static float floats(float a, float b, float[] n) { float c = -a + b * a / b - a % b; n[0] = n[1] += c; return c + 2f; }
	static double doubles(double a, double b, double[] n) { double c = -a + b * a / b - a % b; n[0] = n[1] += c; return c + 1d + 9d; }
	static double casts(int a, long b, float c, double d) { return (int) b + (long) a + (float) a + (double) a + (int) c + (long) c + (double) c + (int) d + (long) d + (float) d + (float) b + (double) b + (byte) a + (short) a + (char) a; }
	static short smalls(byte[] a, short[] b, char[] c, boolean[] e) { a[0] = a[1]; b[0] = b[1]; c[0] = c[1]; e[0] = e[1]; return b[a[0]]; }
	static void fields() { i = 1; l = 2; f = 3; d = 4; o = null; i++; l++; f++; d++; }
	long owns(long by) { own += 2; ownLong = l = by; own = own++ + ++own; return ownLong++; }
	static Object makes(Object[] all, int a, long b) { Object[][] two = new Object[2][a]; all[0] = new StringBuilder("n").append(a).append(b); two[0] = new String[a]; int[][] three = {{1, a}, {2}}; return (Object[]) all[1]; }
	static int calls(String s, long a, double b) { Math.max(a, 3L); Math.max(b, 2d); s.length(); return Long.compare(a, (long) b) + Double.compare(b, a); }
	static void synced(Object by) { Shop s = new Shop(); s.own = s.own += 3; s.owns(2L); }
	static String says(int a, long b, String c) { Runnable r = () -> fields(); return "a" + a + b + c; }
}
`
	c, err := Parse(compile(t, all)["Shop"])
	if err != nil {
		t.Fatal(err)
	}
	size := map[byte]int{'V': 0, 'J': 2, 'D': 2}
	for _, m := range c.Methods {
		depth := 0
		for i := range m.code {
			in := &m.code[i]
			takes, puts, ok := in.effect()
			if !ok {
				want, known := size[resultType(m.descriptor)]
				if !known {
					want = 1
				}
				if i != len(m.code)-1 || depth != want {
					t.Errorf("%s: at %d, code %#x: %d slots left, want %d", m.Name, in.pc, in.code, depth, want)
				}
				continue
			}
			if depth < takes {
				t.Errorf("%s: at %d, code %#x takes %d of %d slots", m.Name, in.pc, in.code, takes, depth)
			}
			depth += puts - takes
		}
	}
	if len(c.Methods) < strings.Count(all, ") {") {
		t.Errorf("only %d methods", len(c.Methods))
	}
}
