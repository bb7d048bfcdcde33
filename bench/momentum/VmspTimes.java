import ca.pfv.spmf.algorithms.sequentialpatterns.spam.AlgoVMSP;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileInputStream;
import java.io.FileWriter;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Times SPMF's VMSP inside a JVM that has warmed up: `input output sequences minSupport maxGap budgetMs limitMs`, maxGap 0 for none
 * (SPMF's 1 means consecutive). Prints two medians in nanoseconds of this thread's CPU time: of a call, which reads the file
 * twice, mines it and writes the answer; and of reading and writing alone. The budget is spent on warming up and then again
 * on measuring. Prints `over` and ends when a call has taken `limitMs`.
 */
public class VmspTimes {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long BATCH_NS = 20_000_000L;

  private static volatile long callStart;

  private interface Task {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    long budgetNs = Long.parseLong(args[5]) * 1_000_000L;
    watch(Thread.currentThread().getId(), Long.parseLong(args[6]) * 1_000_000L);
    long call = median(() -> mine(args), budgetNs);
    List<String> answer = Files.readAllLines(Path.of(args[1]));
    long files = median(() -> readAndWrite(args, answer), budgetNs / 2);
    System.out.println(call + " " + files);
  }

  /** VMSP cannot be interrupted, so that the whole JVM ends. */
  private static void watch(long thread, long limitNs) {
    Thread watcher = new Thread(() -> {
      while (THREADS.getThreadCpuTime(thread) - callStart < limitNs) {
        try {
          Thread.sleep(50);
        } catch (InterruptedException error) {
          return;
        }
      }
      System.out.println("over");
      System.out.flush();
      Runtime.getRuntime().halt(0);
    });
    watcher.setDaemon(true);
    watcher.start();
  }

  private static long median(Task task, long budgetNs) throws Exception {
    long calls = 0;
    long start = now();
    while (calls == 0 || now() - start < budgetNs) {
      task.run();
      calls++;
    }
    // Of many short calls the clock would show little, so that they are timed together.
    int together = (int) Math.max(1, BATCH_NS / Math.max(1, (now() - start) / calls));
    long[] times = new long[1000];
    int count = 0;
    for (start = now(); count < times.length && (count < 3 || now() - start < budgetNs); count++) {
      long before = now();
      for (int call = 0; call < together; call++) task.run();
      times[count] = (now() - before) / together;
    }
    Arrays.sort(times, 0, count);
    return times[count / 2];
  }

  private static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** What VMSP does with files, in the way that it does it: two passes over the lines, numbers out of their parts. */
  private static void readAndWrite(String[] args, List<String> answer) throws Exception {
    long sum = 0;
    for (int pass = 0; pass < 2; pass++) {
      try (BufferedReader reader = new BufferedReader(new InputStreamReader(new FileInputStream(args[0])))) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          for (String part : line.split(" ")) sum += Integer.parseInt(part);
        }
      }
    }
    if (sum == Long.MIN_VALUE) throw new IllegalStateException();
    try (BufferedWriter writer = new BufferedWriter(new FileWriter(args[1]))) {
      for (String line : answer) {
        writer.write(line);
        writer.newLine();
      }
    }
  }

  private static void mine(String[] args) throws Exception {
    callStart = now();
    AlgoVMSP algorithm = new AlgoVMSP();
    int gap = Integer.parseInt(args[4]);
    if (gap > 0) algorithm.setMaxGap(gap);
    // SPMF takes a share and rounds its product with the number of sequences up.
    double share = (Integer.parseInt(args[3]) - 0.001) / Integer.parseInt(args[2]);
    algorithm.runAlgorithm(args[0], args[1], share);
  }
}
