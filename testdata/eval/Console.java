import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Waits for a command on its standard input. */
public class Console {
    private static void execute(String command) {
        System.out.println(command.length());
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("READY");
        for (String command = in.readLine(); command != null; command = in.readLine()) {
            execute(command);
        }
    }
}
